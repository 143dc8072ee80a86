//! Figures over some games of a kind.

use async_graphql::Context;
use plybook_models::{Contents, Distribution, FigureColumns, KindDigests, KindGames};
use plybook_rules::Rules;
use plybook_service::error::Problem;
use roaring::RoaringBitmap;

use super::distribution::Measure;
use super::figures::OF_ALL;
use super::{service, spend};

/// Some games of a kind, by number, and what figures are computed from.
pub(super) struct Over<'a> {
    pub contents: &'a Contents,
    pub known: &'a KindGames,
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
        let kind = rules.about().kind;
        let (no_games, no_digests) = (KindGames::new(kind), KindDigests::default());
        let known = models.known.games.rows().kind(kind).unwrap_or(&no_games);
        let figures = &models.kind(kind).unwrap_or(&no_digests).figures;
        Ok(work(&Over { contents: &models.known, known, figures, games }))
    }

    /// The measures of all kinds, then those of this kind.
    pub fn measures(&self, rules: &dyn Rules) -> Vec<Measure> {
        let Self { known, figures, games, .. } = self;
        let scan = figures.scan(games);
        let of_all = [known.plies(games), figures.branching.distribution(&scan), figures.takebacks.distribution(&scan)];
        let labels = rules.measures();
        let own = figures.measures.iter().map(|column| column.distribution(&scan));
        let spreads = of_all.into_iter().chain(own).chain(std::iter::repeat_with(Distribution::default));
        OF_ALL.iter().chain(&labels).zip(spreads).map(|(label, spread)| Measure::new(label, spread)).collect()
    }
}
