//! Figures over some games of a kind.

use async_graphql::Context;
use plybook_rules::Rules;
use roaring::RoaringBitmap;

use super::distribution::Measure;
use super::figures::OF_ALL;
use super::{service, spend};
use crate::error::Problem;
use crate::models::{Distribution, FigureColumns, KindDigests, Row, Snapshot};

/// Some games of a kind, by number, and what figures are computed from.
pub(super) struct Over<'a> {
    pub models: &'a Snapshot<'a>,
    pub rows: &'a [Row],
    pub figures: &'a FigureColumns,
    pub games: &'a RoaringBitmap,
}

impl Over<'_> {
    /// Computes something over games, from the current read models.
    ///
    /// # Errors
    /// The operation takes too long.
    pub fn games<T>(
        ctx: &Context<'_>,
        rules: &dyn Rules,
        games: &RoaringBitmap,
        work: impl FnOnce(&Over<'_>) -> T,
    ) -> Result<T, Problem> {
        spend(ctx, 0)?;
        let models = service(ctx).digests().now();
        let none = KindDigests::default();
        let kind = rules.about().kind;
        let rows = models.known.games.rows().of(kind);
        let figures = &models.kind(kind).unwrap_or(&none).figures;
        Ok(work(&Over { models: &models, rows, figures, games }))
    }

    pub fn rows(&self) -> impl Iterator<Item = &Row> {
        self.games.iter().map(|number| &self.rows[number as usize])
    }

    /// The distribution of a number that some games have.
    pub fn spread(&self, value: impl FnMut(u32) -> Option<f64>) -> Distribution {
        Distribution::of(self.games.iter().filter_map(value).collect())
    }

    pub fn plies(&self) -> Distribution {
        self.spread(|number| Some(f64::from(self.rows[number as usize].ply)))
    }

    pub fn branching(&self) -> Distribution {
        self.spread(|number| self.figures.branching(number))
    }

    /// The measures of all kinds, then those of this kind.
    pub fn measures(&self, rules: &dyn Rules) -> Vec<Measure> {
        let takebacks = self.spread(|number| self.figures.takebacks(number).map(|value| value as f64));
        let labels = rules.measures();
        let own = |measure| self.spread(|number| self.figures.measure(measure, number).map(|value| value as f64));
        let spreads = [self.plies(), self.branching(), takebacks].into_iter().chain((0..labels.len()).map(own));
        OF_ALL.iter().chain(&labels).zip(spreads).map(|(label, spread)| Measure::new(label, spread)).collect()
    }
}
