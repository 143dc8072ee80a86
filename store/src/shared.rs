//! What nodes share besides the journal, in key-value buckets on the servers of its stream: the secrets, of which nothing is
//! ever removed, documents that are replaced as a whole, and collections. `docs/cluster.md` describes them.

use std::sync::{Arc, Weak};
use std::thread;
use std::time::Duration;

use plybook_stream::{
    Batches, Bucket, Collection, Connection, Document, Documents, NatsAccess, NatsAddress, StreamError, VaultKey,
};

use crate::vault::{SHARED_FORMAT, Vault, VaultError};

/// How often a node looks for what others have written.
const INTERVAL: Duration = Duration::from_millis(300);

/// What the nodes of a stream share.
pub struct Shared {
    connection: Arc<Connection>,
    key: VaultKey,
    vault: Arc<Vault>,
    documents: Arc<Documents>,
}

impl Shared {
    /// Opens what nodes share on the servers of a stream; creates it if it is not there. Everything in it is encrypted with
    /// `key`.
    ///
    /// # Errors
    /// There is no key, the servers are away, a bucket is not safe, or something in it is damaged or encrypted with another key.
    pub fn open(address: &NatsAddress, access: &NatsAccess, key: Option<&VaultKey>) -> Result<Self, VaultError> {
        let key = key.ok_or(VaultError::KeyNeeded)?;
        let connection = Arc::new(Connection::open(address, access)?);
        let documents = open_documents(&connection, key)?;
        let name = format!("{}_vault", connection.name());
        let vault = Arc::new(Vault::open_shared(Batches::new(Bucket::open(&connection, &name, key)?))?);
        follow(Arc::downgrade(&vault), Arc::downgrade(&documents)).map_err(VaultError::Thread)?;
        Ok(Self { connection, key: key.clone(), vault, documents })
    }

    /// The secrets.
    pub fn vault(&self) -> &Arc<Vault> {
        &self.vault
    }

    /// A document.
    pub fn document(&self, name: &'static str) -> Document {
        self.documents.document(name)
    }

    /// Opens a collection; creates it if it is not there.
    ///
    /// # Errors
    /// The servers are away, or its bucket is not safe.
    pub fn collection(&self, name: &str) -> Result<Collection, StreamError> {
        let name = format!("{}_{name}", self.connection.name());
        Ok(Collection::new(Bucket::open(&self.connection, &name, &self.key)?))
    }

    /// Waits for no server any more, now or later.
    pub(crate) fn give_up(&self) {
        self.connection.give_up();
    }

    /// Why the servers do not answer; `None` while they do. Until they do again, everything stays as it was heard of last, and
    /// nothing is written.
    pub fn trouble(&self) -> Option<String> {
        self.connection.trouble()
    }
}

/// Opens one document alone. What others write is not followed.
///
/// # Errors
/// As for [`Shared::open`].
pub fn open_document(
    address: &NatsAddress,
    access: &NatsAccess,
    key: Option<&VaultKey>,
    name: &'static str,
) -> Result<Document, VaultError> {
    let connection = Arc::new(Connection::open(address, access)?);
    Ok(open_documents(&connection, key.ok_or(VaultError::KeyNeeded)?)?.document(name))
}

fn open_documents(connection: &Arc<Connection>, key: &VaultKey) -> Result<Arc<Documents>, VaultError> {
    let stream = connection.name();
    let documents = Documents::open(Bucket::open(connection, &format!("{stream}_shared"), key)?)?;
    documents.document("format").update(|found| match found {
        None => Ok((Some(SHARED_FORMAT.into()), ())),
        Some(found) if found.bytes == SHARED_FORMAT.as_bytes() => Ok((None, ())),
        Some(found) => {
            let found = String::from_utf8_lossy(&found.bytes).into_owned();
            Err(VaultError::OtherVersion { stream: stream.to_owned(), found })
        }
    })?;
    Ok(documents)
}

/// Takes in what other nodes write, until the vault or the documents are dropped.
fn follow(vault: Weak<Vault>, documents: Weak<Documents>) -> std::io::Result<()> {
    let mut is_failing = false;
    let run = move || {
        while let (Some(vault), Some(documents)) = (vault.upgrade(), documents.upgrade()) {
            let heard = documents.refresh().and_then(|()| vault.catch_up());
            drop((vault, documents));
            match &heard {
                Ok(()) if is_failing => tracing::info!("what nodes share is up to date again"),
                Err(why) if !is_failing => tracing::error!(%why, "what nodes share stays as it was heard of last"),
                _ => {}
            }
            is_failing = heard.is_err();
            thread::sleep(INTERVAL);
        }
    };
    thread::Builder::new().name("shared".to_owned()).spawn(run).map(drop)
}
