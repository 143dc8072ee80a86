//! Players.

use std::sync::Arc;

use async_graphql::{Context, ID, Object, SimpleObject};
use plybook_events::LogId;
use plybook_models::{Audience, Filter, Order, TournamentFilter};
use plybook_rules::{kinds, log};
use plybook_service::error::Problem;
use plybook_service::find_kind;

use super::connection::Page;
use super::explorer::Results;
use super::games::{GamePage, list_games};
use super::input::{GameFilter, read_id};
use super::query::reading;
use super::rating::{POINTS, POINTS_MAX, Rating, RatingPoint};
use super::scalar::{DateTime, KeyHex};
use super::statistics::Statistics;
use super::tlog::InclusionProof;
use super::tournament::Tournament;
use super::{desk, price, service};

/// A key that a player signs with.
#[derive(SimpleObject)]
pub struct PlayerKey {
    /// The key.
    key: KeyHex,
    /// When it was added.
    since: DateTime,
    /// When it was removed. What it signed before stays signed.
    until: Option<DateTime>,
}

/// A player.
pub struct Player(pub Arc<plybook_models::Player>);

impl Player {
    /// The id under which the player's games are found: that of the player into whom this one was merged, if any.
    fn stands(&self, ctx: &Context<'_>) -> LogId {
        service(ctx).models().known().players.survivor(self.0.id)
    }
}

/// A player.
#[Object]
impl Player {
    /// The id.
    pub async fn id(&self) -> ID {
        self.0.id.to_string().into()
    }

    /// The name.
    async fn name(&self) -> &str {
        &self.0.profile.name
    }

    /// The club.
    async fn club(&self) -> Option<&str> {
        self.0.profile.club.as_deref()
    }

    /// The country, as the two letters of ISO 3166-1.
    async fn country(&self) -> Option<&str> {
        self.0.profile.country.as_deref()
    }

    /// Links about the player.
    async fn links(&self) -> &[String] {
        &self.0.profile.links
    }

    /// The keys that the player signs or signed with, in the order in which they were added.
    async fn keys(&self) -> Vec<PlayerKey> {
        let key = |known: &log::PlayerKey| PlayerKey {
            key: KeyHex(known.key),
            since: DateTime(known.since),
            until: known.until.map(DateTime),
        };
        self.0.profile.keys.iter().map(key).collect()
    }

    /// The year of birth. Null if it is not known, and for everybody except arbiters.
    async fn year_of_birth(&self, ctx: &Context<'_>) -> Option<u16> {
        desk(ctx).year_of_birth(self.0.id)
    }

    /// The player who this one was merged into, directly or indirectly, and who stands for both: this one's
    /// games and figures are then those of both. Null for a player who was not merged.
    async fn merged_into(&self, ctx: &Context<'_>) -> Option<Self> {
        self.0.profile.merged_into?;
        let known = service(ctx).models().known();
        known.players.get(known.players.survivor(self.0.id)).cloned().map(Self)
    }

    /// The players who were merged directly into this one.
    #[graphql(complexity = "price::SEATS * child_complexity.max(1) + 1")]
    async fn merged(&self, ctx: &Context<'_>) -> Vec<Self> {
        service(ctx).models().known().players.merged_into(self.0.id).cloned().map(Self).collect()
    }

    /// Other players whose names differ at most in case, accents and the order of words: perhaps the same
    /// person, registered twice.
    #[graphql(complexity = "price::SEATS * child_complexity.max(1) + 1")]
    async fn namesakes(&self, ctx: &Context<'_>) -> Vec<Self> {
        let known = service(ctx).models().known();
        let called = known.players.called(&self.0.profile.name).into_iter();
        called.filter(|player| player.id != self.0.id).cloned().map(Self).collect()
    }

    /// The newest tournament that the player is entered in; null if there is none.
    #[graphql(complexity = "price::LIST + child_complexity")]
    async fn last_tournament(&self, ctx: &Context<'_>) -> Option<Tournament> {
        let filter = TournamentFilter { player: Some(self.stands(ctx)), ..TournamentFilter::default() };
        service(ctx).models().known().tournaments.list(&filter).first().cloned().map(Tournament::listed)
    }

    /// The proof that the transparency log contains an event of the player's log: the last one, or the one with `seq`, as `inclusion`
    /// of a game.
    #[graphql(complexity = "price::LOG + child_complexity")]
    async fn inclusion(&self, ctx: &Context<'_>, seq: Option<i64>) -> Result<Option<InclusionProof>, Problem> {
        InclusionProof::read(ctx, self.0.id, seq)
    }

    /// The seq of the last event of the player's log; see `expectedSeq` of `editPlayer`.
    async fn seq(&self) -> u64 {
        self.0.profile.events - 1
    }

    /// When the player was registered.
    async fn created_at(&self) -> DateTime {
        DateTime(self.0.created_at)
    }

    /// The player's recorded games, newest first; lines that name the player too, if the filter asks for lines.
    #[graphql(
        complexity = "Page::cost(first, None) * child_complexity.max(1) + price::LIST + reading(filter.as_ref())"
    )]
    async fn games(
        &self,
        ctx: &Context<'_>,
        filter: Option<GameFilter>,
        first: Option<i32>,
        after: Option<String>,
    ) -> Result<GamePage, Problem> {
        let filter = filter.unwrap_or_default().of_player(self.stands(ctx)).read(ctx)?;
        let filter = filter.listed_for(Audience::Everybody);
        list_games(ctx, &filter, Order::CreatedDesc, &Page { first, after, ..Page::default() })
    }

    /// The player's ratings, by the names of the kinds.
    #[graphql(complexity = "kinds().len() * (child_complexity + price::FOLD) + 1")]
    async fn ratings(&self, ctx: &Context<'_>) -> Vec<Rating> {
        let (player, ratings) = (self.stands(ctx), service(ctx).ratings());
        let mut names: Vec<&str> = kinds().iter().map(|rules| rules.about().kind).collect();
        names.sort_unstable();
        let rating = |kind: &str| Some(Rating { kind: kind.to_owned(), player, form: ratings.of(kind, player)? });
        names.into_iter().filter_map(rating).collect()
    }

    /// The player's curve in a kind of game: the newest `last` points (200 by default, at most 1,000), one
    /// for each rated game, oldest first.
    #[graphql(
        complexity = "last.unwrap_or(POINTS).clamp(0, POINTS_MAX) as usize * child_complexity.max(1) + price::LIST"
    )]
    async fn rating_history(
        &self,
        ctx: &Context<'_>,
        kind: String,
        last: Option<i32>,
    ) -> Result<Vec<RatingPoint>, Problem> {
        find_kind(&kind)?;
        let last = usize::try_from(last.unwrap_or(POINTS)).ok().filter(|last| *last <= POINTS_MAX as usize);
        let last = last.ok_or_else(|| Problem::BadInput(format!("`last` is a number from 0 to {POINTS_MAX}")))?;
        let player = self.stands(ctx);
        Ok(service(ctx).ratings().history(&kind, player, last).into_iter().map(RatingPoint).collect())
    }

    /// Statistics of the player's games of a kind; luck counts only the player's own.
    #[graphql(complexity = "price::GAMES + reading(filter.as_ref()) + child_complexity")]
    async fn statistics(
        &self,
        ctx: &Context<'_>,
        kind: String,
        filter: Option<GameFilter>,
    ) -> Result<Option<Statistics>, Problem> {
        let filter = filter.unwrap_or_default().of_kind(&kind).of_player(self.stands(ctx)).read(ctx)?;
        Statistics::of(service(ctx), &kind, filter, Some(self.stands(ctx))).map(Some)
    }

    /// The results of all games in which both this player and the opponent took part, without void games.
    /// `wins` has two entries: games that this player won and the opponent did not, and the reverse. `draws`
    /// counts games that neither or both won, `other` games that are still running or that a third player
    /// won.
    #[graphql(complexity = "price::GAMES + child_complexity")]
    async fn against(&self, ctx: &Context<'_>, opponent: ID, kind: Option<String>) -> Result<Results, Problem> {
        let (own, opponent) = (self.stands(ctx), read_id(&opponent)?);
        let known = service(ctx).models().known();
        if known.players.get(opponent).is_none() {
            return Err(Problem::NotFound(format!("there is no player {opponent}")));
        }
        let opponent = known.players.survivor(opponent);
        if opponent == own {
            return Err(Problem::BadInput("`opponent` is another player".to_owned()));
        }
        let (players, is_analysis) = (vec![own, opponent], Some(false));
        let filter = Filter { kind, players, is_analysis, without_void: true, ..Filter::default() };
        let [by_own, by_opponent] = [own, opponent].map(|player| Filter { winner: Some(player), ..filter.clone() });
        let mut results = Results { wins: vec![0, 0], draws: 0, other: 0 };
        let rows = known.games.rows();
        for name in rows.kinds() {
            let matching = |filter| known.games.matching(name, filter, None);
            let (all, own, opponent) = (matching(&filter), matching(&by_own), matching(&by_opponent));
            let count = |games: u64| games as u32;
            let both = count(own.intersection_len(&opponent));
            let wins = [count(own.len()) - both, count(opponent.len()) - both];
            let draws = rows.kind(name).map_or(0, |games| games.results(&all).draws) + both;
            results.wins.iter_mut().zip(wins).for_each(|(sum, wins)| *sum += wins);
            results.draws += draws;
            results.other += count(all.len()) - wins[0] - wins[1] - draws;
        }
        Ok(results)
    }
}
