//! An import of events of a log.

use async_graphql::Object;

use super::scalar::{DateTime, HashHex};

/// An import of events of a log: they were recorded elsewhere, or typed in from a text record. Whatever times they carry
/// are what their file says.
pub struct Import(pub plybook_models::Import);

/// An import of events of a log: they were recorded elsewhere, or typed in from a text record. Whatever times they carry
/// are what their file says.
#[Object]
impl Import {
    /// When they were imported.
    async fn at(&self) -> DateTime {
        DateTime(self.0.at)
    }

    /// Who imported them: a role and the id of an access token, such as `recorder:1a2b3c4d`, or `operator`. Null if
    /// nobody is known.
    async fn who(&self) -> Option<String> {
        self.0.who.map(|who| who.to_string())
    }

    /// What they were imported from, in the words of the importer: the name of a file, for instance.
    async fn source(&self) -> Option<&str> {
        self.0.source.as_deref()
    }

    /// SHA-256 of that file.
    async fn file(&self) -> HashHex {
        HashHex(self.0.file)
    }

    /// The seq of the first of them.
    async fn first_seq(&self) -> u64 {
        self.0.first
    }

    /// The seq of the last.
    async fn last_seq(&self) -> u64 {
        self.0.last
    }
}
