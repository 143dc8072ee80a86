//! What a command trusts: keys of logs, and witnesses.

use clap::Args;
use plybook_service::Trusted;
use plybook_tlog::{Quorum, VerifierKey, WitnessKey};

use super::Failure;

/// The keys that checkpoints are checked with.
#[derive(Debug, Args)]
pub(crate) struct Trust {
    /// A public key that is trusted
    #[arg(long, value_name = "KEY", required = true)]
    key: Vec<VerifierKey>,
    /// The public key of a witness that is trusted
    #[arg(long, value_name = "KEY")]
    witness: Vec<WitnessKey>,
    /// How many of the witnesses have to have cosigned a checkpoint [default: more than half]
    #[arg(long, value_name = "N", requires = "witness")]
    quorum: Option<usize>,
}

impl Trust {
    pub(crate) fn read(&self) -> Result<Trusted, Failure> {
        let quorum = Quorum::new(self.witness.clone(), self.quorum).map_err(Failure::trouble)?;
        Ok(Trusted { keys: self.key.clone(), quorum })
    }
}
