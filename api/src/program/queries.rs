//! The settings for the size of queries.

use clap::Args;
use plybook_http::Limits;
use serde::Deserialize;

/// The deepest nesting of fields that can be set: async-graphql follows no more.
const DEPTH_MAX: u16 = 32;

/// The size of queries: flags, or the table `[queries]` of the settings file. Missing ones keep their
/// defaults.
#[derive(Clone, Debug, Default, Args, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
#[command(next_help_heading = "How large a query may be (docs/limits.md)")]
pub(crate) struct Queries {
    /// The most lexical tokens of a document [default: 8000]
    #[arg(long = "query-tokens", value_name = "N", env = "PLYBOOK_QUERY_TOKENS")]
    tokens: Option<u32>,
    /// The most fields within each other, up to 32; introspection needs 14 [default: 16]
    #[arg(long = "query-depth", value_name = "N", env = "PLYBOOK_QUERY_DEPTH",
        value_parser = clap::value_parser!(u16).range(1..=i64::from(DEPTH_MAX)))]
    depth: Option<u16>,
    /// The most fields, arguments and directives of an operation, those of fragments counted as often as they are spread
    /// [default: 2000]
    #[arg(long = "query-size", value_name = "N", env = "PLYBOOK_QUERY_SIZE")]
    size: Option<u32>,
}

impl Queries {
    /// Applies the settings that are given.
    pub(crate) fn apply(&self, limits: &Limits) -> Limits {
        let number = |given: Option<u32>, was: usize| given.map_or(was, |given| given as usize);
        Limits {
            tokens: number(self.tokens, limits.tokens),
            depth: self.depth.map_or(limits.depth, |depth| depth.min(DEPTH_MAX).into()),
            size: number(self.size, limits.size),
            ..limits.clone()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_given_takes_precedence() {
        let file: Queries = toml::from_str("depth = 500\nsize = 3\ntokens = 0").unwrap();
        let flags = Queries { size: Some(5), ..Queries::default() };
        let limits = flags.apply(&file.apply(&Limits::default()));
        assert_eq!(limits, Limits { depth: 32, size: 5, tokens: 0, ..Limits::default() });
        assert!(toml::from_str::<Queries>("alias = 3").is_err());
    }
}
