//! A key-value bucket of `JetStream` whose values are encrypted.
//!
//! A bucket is a stream `KV_<bucket>` with a subject `$KV.<bucket>.<key>` for each key. The revision of a value is the sequence
//! of its message, and a value is replaced only by who knows its revision.

use std::sync::Arc;
use std::time::Instant;

use async_nats::header::{NATS_EXPECTED_LAST_SUBJECT_SEQUENCE, NATS_EXPECTED_STREAM, NATS_MESSAGE_ID};
use async_nats::{HeaderMap, Request};
use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use plybook_events::Hash;
use serde_json::{Value, json};
use tokio::time::sleep;

use crate::connection::Connection;
use crate::events::HEADERS_BYTES;
use crate::key::{Encrypted, NONCE_BYTES};
use crate::stream::{
    BATCH_BYTES, BATCH_MESSAGES, NO_MESSAGE, PATIENCE, PAUSE, STREAM_NOT_FOUND, Stream, WRONG_LAST_SEQUENCE,
};
use crate::{StreamError, VaultKey, settings};

/// What every value is bound to, with the stream and the key after it.
const CONTEXT: &[u8] = b"plybook/bucket/v1\0";

/// The bytes that encryption adds to a value.
const SEAL_BYTES: usize = NONCE_BYTES + 16;

/// How well documents and values of collections are compressed.
const LEVEL: i32 = 3;

/// The most bytes of one, decompressed.
const UNPACKED_BYTES_MAX: usize = 64 << 20;

/// A bucket. Its calls block, on any thread.
#[derive(Clone)]
pub struct Bucket {
    connection: Arc<Connection>,
    inner: Arc<Inner>,
}

struct Inner {
    stream: Stream,
    /// What stands before the key in a subject.
    prefix: String,
    key: VaultKey,
}

/// What is under a key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Entry {
    pub key: String,
    pub value: Vec<u8>,
    /// The sequence of its message, from 1.
    pub revision: u64,
}

impl Bucket {
    /// Opens a bucket on the servers of a stream; creates it if it is not there.
    ///
    /// # Errors
    /// The servers are away, or the bucket is not safe.
    pub fn open(connection: &Arc<Connection>, name: &str, key: &VaultKey) -> Result<Self, StreamError> {
        let stream = connection.stream(format!("KV_{name}"));
        let inner = Arc::new(Inner { stream, prefix: format!("$KV.{name}."), key: key.clone() });
        let bucket = Self { connection: Arc::clone(connection), inner };
        bucket.run(|inner| async move { inner.prepare().await })?;
        Ok(bucket)
    }

    /// What the bucket holds of a value that is compressed.
    pub(crate) fn pack(&self, bytes: &[u8]) -> Result<Vec<u8>, StreamError> {
        if bytes.len() > UNPACKED_BYTES_MAX {
            // Nobody could read it.
            let (stream, bytes) = (self.stream_name().to_owned(), bytes.len());
            return Err(StreamError::TooLarge { stream, bytes, max: UNPACKED_BYTES_MAX });
        }
        Ok(zstd::bulk::compress(bytes, LEVEL).expect("memory holds what is compressed"))
    }

    pub(crate) fn unpack(&self, value: &[u8], revision: u64) -> Result<Vec<u8>, StreamError> {
        zstd::bulk::decompress(value, UNPACKED_BYTES_MAX)
            .map_err(|_| self.damaged(revision, "it cannot be decompressed"))
    }

    /// The most bytes of a value.
    pub(crate) fn value_bytes_max(&self) -> usize {
        self.inner.stream.max_payload().saturating_sub(HEADERS_BYTES + SEAL_BYTES)
    }

    /// Writes a value if the revision under the key is `after`, which is 0 if there is none. It is on a quorum of the servers
    /// when this returns its revision; `None` if another value is there.
    ///
    /// # Errors
    /// It is too large, or the servers are away; then it may be written or not.
    pub(crate) fn put(&self, key: &str, value: &[u8], after: u64) -> Result<Option<u64>, StreamError> {
        let max = self.value_bytes_max();
        if value.len() > max {
            return Err(StreamError::TooLarge { stream: self.inner.stream.name.clone(), bytes: value.len(), max });
        }
        let (key, sealed) = (key.to_owned(), self.inner.seal(key, value));
        self.run(move |inner| async move { inner.put(&key, sealed, after).await })
    }

    /// What is under a key, as the bucket's leader has it.
    ///
    /// # Errors
    /// The servers are away, or the value is damaged.
    pub(crate) fn get(&self, key: &str) -> Result<Option<Entry>, StreamError> {
        let subject = format!("{}{key}", self.inner.prefix);
        self.run(move |inner| async move { inner.message(&json!({ "last_by_subj": subject })).await })
    }

    /// The sequence of the last message, as the bucket's leader has it. This also finds out whether the servers are back.
    ///
    /// # Errors
    /// The servers are away.
    pub(crate) fn last(&self) -> Result<u64, StreamError> {
        let inner = Arc::clone(&self.inner);
        self.connection.probe(async move {
            let info = inner.stream.api("STREAM.INFO", &json!({})).await?;
            inner.stream.refuse_error(&info)?;
            Ok(info["state"]["last_seq"].as_u64().unwrap_or(0))
        })
    }

    /// Values from a sequence on, in order: some of them, as one of the replicas has them, which may be behind or damaged.
    ///
    /// # Errors
    /// The servers are away.
    pub(crate) fn batch(&self, from: u64) -> Result<Vec<Entry>, StreamError> {
        self.run(move |inner| async move { inner.batch(from).await })
    }

    /// The first value from a sequence on, as the bucket's leader has it; `None` if there is none yet. This also finds out
    /// whether the servers are back.
    ///
    /// # Errors
    /// As for [`get`](Self::get).
    pub(crate) fn next(&self, from: u64) -> Result<Option<Entry>, StreamError> {
        let inner = Arc::clone(&self.inner);
        self.connection.probe(async move {
            let every = format!("{}>", inner.prefix);
            inner.message(&json!({ "seq": from, "next_by_subj": every })).await
        })
    }

    /// The value with this sequence, as the bucket's leader has it.
    ///
    /// # Errors
    /// As for [`get`](Self::get).
    pub(crate) fn at(&self, sequence: u64) -> Result<Option<Entry>, StreamError> {
        self.run(move |inner| async move { inner.message(&json!({ "seq": sequence })).await })
    }

    pub(crate) fn damaged(&self, sequence: u64, why: &'static str) -> StreamError {
        self.inner.stream.damaged(sequence, why)
    }

    /// The name of its stream.
    pub(crate) fn stream_name(&self) -> &str {
        &self.inner.stream.name
    }

    /// Whether its servers are known to be away.
    pub(crate) fn is_away(&self) -> bool {
        self.connection.trouble().is_some()
    }

    fn run<T, F>(&self, work: impl FnOnce(Arc<Inner>) -> F) -> Result<T, StreamError>
    where
        T: Send + 'static,
        F: Future<Output = Result<T, StreamError>> + Send + 'static,
    {
        self.connection.run(work(Arc::clone(&self.inner)))
    }
}

impl Inner {
    /// Checks how the bucket is configured; creates it if it is not there.
    async fn prepare(&self) -> Result<(), StreamError> {
        let stream = &self.stream;
        let needed = settings::of_bucket(&stream.name, &format!("{}>", self.prefix), stream.replicas);
        let info = stream.api("STREAM.INFO", &json!({})).await?;
        if info["error"]["err_code"] != STREAM_NOT_FOUND {
            stream.refuse_error(&info)?;
            return settings::check(&stream.name, &needed, &info["config"]);
        }
        // Another node may create it at the same moment, which is the same.
        let created = stream.api("STREAM.CREATE", &needed).await?;
        stream.refuse_error(&created)
    }

    async fn put(&self, key: &str, sealed: Vec<u8>, after: u64) -> Result<Option<u64>, StreamError> {
        let (stream, subject) = (&self.stream, format!("{}{key}", self.prefix));
        let id = Hash::of_parts(&[subject.as_bytes(), b"\0", &sealed]).to_string();
        let mut headers = HeaderMap::new();
        headers.insert(NATS_EXPECTED_STREAM, stream.name.as_str());
        headers.insert(NATS_EXPECTED_LAST_SUBJECT_SEQUENCE, after.to_string());
        headers.insert(NATS_MESSAGE_ID, id);
        let (sealed, deadline) = (bytes::Bytes::from(sealed), Instant::now() + PATIENCE);
        loop {
            let request = Request::new().payload(sealed.clone()).headers(headers.clone());
            let why = match stream.request(subject.clone(), request).await {
                // A refusal has a sequence, too.
                Ok(ack) if ack["error"].is_null() && ack["seq"].is_u64() => return Ok(ack["seq"].as_u64()),
                // Perhaps by this very value, sent earlier: an answer can be lost.
                Ok(ack) if ack["error"]["err_code"] == WRONG_LAST_SEQUENCE => {
                    let there = self.raw(&json!({ "last_by_subj": subject })).await?;
                    return Ok(there
                        .filter(|(.., value)| sealed == value.as_slice())
                        .map(|(.., revision, _)| revision));
                }
                Ok(ack) => ack["error"]["description"].as_str().unwrap_or("an answer that is none").to_owned(),
                Err(why) => why,
            };
            if Instant::now() >= deadline {
                return Err(StreamError::Unanswered { stream: stream.name.clone(), why });
            }
            sleep(PAUSE).await;
        }
    }

    async fn message(&self, query: &Value) -> Result<Option<Entry>, StreamError> {
        let Some((subject, revision, sealed)) = self.raw(query).await? else { return Ok(None) };
        self.open(&subject, revision, &sealed).map(Some)
    }

    /// A message as it is stored, from the leader: its subject, its sequence and its payload.
    async fn raw(&self, query: &Value) -> Result<Option<(String, u64, Vec<u8>)>, StreamError> {
        let got = self.stream.api("STREAM.MSG.GET", query).await?;
        if got["error"]["err_code"] == NO_MESSAGE {
            return Ok(None);
        }
        self.stream.refuse_error(&got)?;
        let message = &got["message"];
        let (subject, sequence) = (message["subject"].as_str().unwrap_or(""), message["seq"].as_u64().unwrap_or(0));
        let payload = BASE64_STANDARD.decode(message["data"].as_str().unwrap_or(""));
        let payload = payload.map_err(|_| self.stream.damaged(sequence, "it cannot be decoded"))?;
        Ok(Some((subject.to_owned(), sequence, payload)))
    }

    async fn batch(&self, from: u64) -> Result<Vec<Entry>, StreamError> {
        let query = json!({ "seq": from, "batch": BATCH_MESSAGES, "max_bytes": BATCH_BYTES });
        let mut entries = Vec::new();
        for answer in self.stream.direct(&query).await? {
            let header = |name: &str| answer.headers.as_ref()?.get(name).map(async_nats::HeaderValue::as_str);
            let revision = header("Nats-Sequence").and_then(|text| text.parse().ok()).unwrap_or(0);
            match self.open(header("Nats-Subject").unwrap_or(""), revision, &answer.payload) {
                Ok(entry) => entries.push(entry),
                Err(why) => {
                    tracing::warn!(%why, "a replica has a damaged value, or nodes have different keys");
                    break;
                }
            }
        }
        Ok(entries)
    }

    /// Encrypts a value, bound to its key in this bucket.
    fn seal(&self, key: &str, value: &[u8]) -> Vec<u8> {
        let Encrypted { nonce, text } = self.key.encrypt(&self.context(key), value);
        [&nonce[..], &text].concat()
    }

    fn open(&self, subject: &str, revision: u64, sealed: &[u8]) -> Result<Entry, StreamError> {
        let opened = subject.strip_prefix(&self.prefix).and_then(|key| {
            let (nonce, text) = sealed.split_first_chunk()?;
            let encrypted = Encrypted { nonce: *nonce, text: text.to_vec() };
            Some(Entry { key: key.to_owned(), value: self.key.decrypt(&self.context(key), &encrypted)?, revision })
        });
        opened
            .ok_or_else(|| self.stream.damaged(revision, "it was changed, or encrypted with another --vault-key-file"))
    }

    fn context(&self, key: &str) -> Vec<u8> {
        [CONTEXT, self.stream.name.as_bytes(), b"\0", key.as_bytes()].concat()
    }
}
