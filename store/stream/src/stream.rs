//! The requests that the journal makes of the servers.

use std::collections::{BTreeSet, VecDeque};
use std::fs;
use std::future::{Future, ready};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use async_nats::{
    Client, ConnectErrorKind, ConnectOptions, Event, HeaderMap, Message as Answer, Request, RequestErrorKind,
    ServerError, Subscriber,
};
use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use bytes::Bytes;
use futures_util::StreamExt;
use serde_json::{Value, json};
use tokio::time::{sleep, timeout};

use crate::message::{self, Message};
use crate::{NatsAccess, NatsAddress, StreamError, settings};

/// How long a request is tried, again and again: longer than servers take to elect a leader.
pub const PATIENCE: Duration = Duration::from_secs(10);

/// How long an answer is waited for before the same is asked again.
const ATTEMPT: Duration = Duration::from_secs(2);

/// How long to wait before asking again what was refused at once.
pub const PAUSE: Duration = Duration::from_millis(50);

/// How long to wait before an append is sent again; then twice as long each time.
const SHORTEST_PAUSE: Duration = Duration::from_millis(1);

/// How long servers have to say how they are configured, which they need not.
const SERVERS_PATIENCE: Duration = Duration::from_millis(500);

/// How many bytes of messages are asked for at once; the last one can exceed it.
pub const BATCH_BYTES: u64 = 4 << 20;

/// The most messages that are asked for at once.
pub const BATCH_MESSAGES: usize = 1024;

/// How often a connection is tried while nothing is heard: it is given up after three times without an answer.
const PING_INTERVAL: Duration = Duration::from_secs(2);

/// How long a replica has to answer a direct get, before the leader is asked instead.
const DIRECT_PATIENCE: Duration = Duration::from_millis(500);

/// How long the leader is asked after a replica was silent: the other servers take minutes to forget one that is frozen.
const DIRECT_PAUSE: Duration = Duration::from_secs(20);

/// How long a server has to hear of `JetStream`, before the connection turns to another one.
const JETSTREAM_PATIENCE: Duration = Duration::from_secs(1);

/// The first version of the server that answers for several messages at once.
const OLDEST_SERVER: (i64, i64, i64) = (2, 11, 0);

/// Codes of `JetStream`'s errors.
pub const STREAM_NOT_FOUND: u64 = 10059;
pub const NO_MESSAGE: u64 = 10037;
const NO_PEERS: u64 = 10005;
pub const WRONG_LAST_SEQUENCE: u64 = 10071;

/// A stream, and the connection to its servers.
pub struct Stream {
    client: Client,
    pub name: String,
    pub replicas: u64,
    denied: Denied,
    /// Until when no direct gets are made, since a replica was silent.
    silent_until: Arc<Mutex<Option<Instant>>>,
    /// When the connection left a server without `JetStream`, last.
    left_at: Arc<Mutex<Option<Instant>>>,
}

/// What the servers said that the account may not do, last.
#[derive(Clone, Default)]
struct Denied(Arc<Mutex<VecDeque<String>>>);

impl Denied {
    /// How much is remembered.
    const MAX: usize = 16;

    fn hear(&self, event: &Event) {
        let Event::ServerError(ServerError::Other(what)) = event else { return };
        if what.to_ascii_lowercase().contains("permissions violation") {
            let mut told = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            told.truncate(Self::MAX - 1);
            told.push_front(what.clone());
        }
    }

    /// What was said about a subject.
    fn of(&self, subject: &str) -> Option<String> {
        let told = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        told.iter().find(|what| what.contains(&format!("\"{subject}\""))).cloned()
    }
}

/// What became of a message.
pub enum Published {
    /// It is the next one.
    Next,
    /// Another message is; the last one has this sequence by now.
    Taken(u64, Message),
}

impl Stream {
    /// Connects to one of the servers.
    pub async fn connect(address: &NatsAddress, access: &NatsAccess) -> Result<Self, StreamError> {
        let (name, denied) = (address.stream.clone(), Denied::default());
        let heard = denied.clone();
        let options = options(address, access)?.event_callback(move |event| {
            heard.hear(&event);
            ready(())
        });
        let deadline = Instant::now() + PATIENCE;
        let client = loop {
            match options.clone().connect(address.servers()).await {
                Ok(client) => break client,
                Err(why) if !is_passing(why.kind()) || Instant::now() >= deadline => {
                    return Err(StreamError::Unanswered { stream: name, why: why.to_string() });
                }
                Err(_) => sleep(PAUSE).await,
            }
        };
        let (major, minor, patch) = OLDEST_SERVER;
        if !client.is_server_compatible(major, minor, patch) {
            return Err(StreamError::Unsafe {
                stream: name,
                setting: "the version of nats-server".to_owned(),
                found: client.server_info().version,
                needed: format!("at least {major}.{minor}"),
            });
        }
        let (silent_until, left_at) = Default::default();
        Ok(Self { client, name, replicas: address.replicas, denied, silent_until, left_at })
    }

    /// Another stream on the same servers.
    pub fn beside(&self, name: String) -> Self {
        let (client, denied) = (self.client.clone(), self.denied.clone());
        let (silent_until, left_at) = (Arc::clone(&self.silent_until), Arc::clone(&self.left_at));
        Self { client, name, replicas: self.replicas, denied, silent_until, left_at }
    }

    /// Refuses servers of the stream that acknowledge before they sync. They tell that only to accounts that may ask.
    pub async fn check_servers(&self) -> Result<(), StreamError> {
        let info = self.api("STREAM.INFO", &json!({})).await?;
        let replicas = info["cluster"]["replicas"].as_array().into_iter().flatten().map(|replica| &replica["name"]);
        let servers = replicas.chain([&info["cluster"]["leader"]]).filter_map(Value::as_str);
        let mut silent: BTreeSet<&str> = servers.collect();
        let mut answers = self.ask("$SYS.REQ.SERVER.PING.VARZ", Bytes::new()).await?;
        let deadline = Instant::now() + SERVERS_PATIENCE;
        while !silent.is_empty()
            && let Ok(Some(answer)) = timeout(deadline.saturating_duration_since(Instant::now()), answers.next()).await
            && answer.status.is_none()
        {
            let varz: Value = serde_json::from_slice(&answer.payload).unwrap_or_default();
            let server = varz["server"]["name"].as_str().unwrap_or("");
            if silent.remove(server) && !settings::check_server(&self.name, &varz)? {
                tracing::warn!(
                    stream = self.name,
                    server,
                    "this server has turned JetStream off: is its disk full? Make room, and restart that server"
                );
            }
        }
        if !silent.is_empty() {
            tracing::warn!(
                stream = self.name,
                servers = ?silent,
                "these servers are away, or do not say whether they sync before they acknowledge: see to it that each has \
                 `jetstream {{ sync_interval: always }}`, and let the account ask $SYS.REQ.SERVER.PING.VARZ (docs/cluster.md)"
            );
        }
        Ok(())
    }

    /// What the leader tells of the stream.
    pub async fn info(&self) -> Result<Value, StreamError> {
        let info = self.api("STREAM.INFO", &json!({})).await?;
        self.refuse_error(&info)?;
        Ok(info)
    }

    /// Checks how the stream is configured, and that nothing is missing in it. Returns whether it is there.
    pub async fn check(&self) -> Result<bool, StreamError> {
        let info = self.api("STREAM.INFO", &json!({})).await?;
        if info["error"]["err_code"] == STREAM_NOT_FOUND {
            return Ok(false);
        }
        self.refuse_error(&info)?;
        settings::check(&self.name, &settings::of_stream(&self.name, self.replicas), &info["config"])?;
        let state = &info["state"];
        if state["messages"] != state["last_seq"] {
            return Err(self.damaged(state["first_seq"].as_u64().unwrap_or(0), "messages were removed from the stream"));
        }
        Ok(true)
    }

    /// Creates the stream.
    pub async fn create(&self) -> Result<(), StreamError> {
        let created = self.api("STREAM.CREATE", &settings::of_stream(&self.name, self.replicas)).await?;
        self.refuse_error(&created)
    }

    /// Writes a message after the one with the sequence `last`, once, however often it has to be sent.
    pub async fn publish(&self, message: &Message, last: u64) -> Result<Published, StreamError> {
        let (deadline, mut pause) = (Instant::now() + PATIENCE, SHORTEST_PAUSE);
        loop {
            let request = Request::new().payload(message.payload.clone()).headers(message.headers(&self.name, last));
            let why = match self.request(self.name.clone(), request).await {
                Ok(ack) if ack["seq"] == last + 1 => return Ok(Published::Next),
                // Perhaps by this very message, sent earlier: an answer can be lost.
                Ok(ack) if ack["error"]["err_code"] == WRONG_LAST_SEQUENCE => match self.last().await? {
                    Some((sequence, end)) if sequence > last => {
                        let next = if sequence == last + 1 { Some(end.clone()) } else { self.get(last + 1).await? };
                        let is_there = next.is_some_and(|next| next.id == message.id);
                        return Ok(if is_there { Published::Next } else { Published::Taken(sequence, end) });
                    }
                    _ => "the stream has fewer messages than it acknowledged".to_owned(),
                },
                Ok(ack) => ack["error"]["description"].as_str().unwrap_or("an answer that is none").to_owned(),
                Err(why) => why,
            };
            if Instant::now() >= deadline {
                return Err(self.unanswered(why));
            }
            sleep(pause).await;
            pause = PAUSE.min(2 * pause);
        }
    }

    /// The last message and its sequence, as the stream's leader has it; `None` if there is none.
    pub async fn last(&self) -> Result<Option<(u64, Message)>, StreamError> {
        self.message(&json!({ "last_by_subj": self.name })).await
    }

    /// A message, as the stream's leader has it.
    pub async fn get(&self, sequence: u64) -> Result<Option<Message>, StreamError> {
        Ok(self.message(&json!({ "seq": sequence })).await?.map(|(_, message)| message))
    }

    /// A message that was acknowledged. A leader that lost touch with the others may not have it, but not for long.
    pub async fn known(&self, sequence: u64) -> Result<Message, StreamError> {
        let deadline = Instant::now() + PATIENCE;
        loop {
            match self.get(sequence).await? {
                Some(message) => return Ok(message),
                None if Instant::now() >= deadline => return Err(self.damaged(sequence, "it is missing")),
                None => sleep(PAUSE).await,
            }
        }
    }

    async fn message(&self, query: &Value) -> Result<Option<(u64, Message)>, StreamError> {
        let got = self.api("STREAM.MSG.GET", query).await?;
        if got["error"]["err_code"] == NO_MESSAGE {
            return Ok(None);
        }
        self.refuse_error(&got)?;
        let sequence = got["message"]["seq"].as_u64().unwrap_or(0);
        let decoded = |member: &str| BASE64_STANDARD.decode(got["message"][member].as_str().unwrap_or("")).ok();
        let read = decoded("hdrs").zip(decoded("data")).ok_or("it cannot be decoded").and_then(|(headers, payload)| {
            let headers = String::from_utf8_lossy(&headers);
            let header = |name: &str| headers.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(": "));
            Message::read(header(message::POSITION), header(message::ID), payload.into())
        });
        read.map(|message| Some((sequence, message))).map_err(|why| self.damaged(sequence, why))
    }

    /// Messages from a sequence on, as one of the replicas has them, which may have fewer: at most `limit`, in order, without
    /// a gap, up to the first that was changed.
    pub async fn batch(&self, from: u64, limit: usize) -> Result<Vec<Message>, StreamError> {
        let limit = limit.min(BATCH_MESSAGES);
        let mut messages = Vec::new();
        for answer in self.direct(&json!({ "seq": from, "batch": limit, "max_bytes": BATCH_BYTES })).await? {
            match read(&answer) {
                Ok((sequence, message)) if sequence == from + messages.len() as u64 => messages.push(message),
                Ok(_) => break,
                Err(why) => {
                    let sequence = from + messages.len() as u64;
                    tracing::warn!(stream = self.name, sequence, why, "a replica has a damaged message");
                    break;
                }
            }
        }
        Ok(messages)
    }

    /// What one of the replicas answers to a direct get: nothing if one is silent, or was a moment ago.
    pub async fn direct(&self, query: &Value) -> Result<Vec<Answer>, StreamError> {
        let silent_until = || self.silent_until.lock().unwrap_or_else(PoisonError::into_inner);
        if silent_until().is_some_and(|until| Instant::now() < until) {
            return Ok(Vec::new());
        }
        let mut answers = self.ask(&format!("$JS.API.DIRECT.GET.{}", self.name), query.to_string().into()).await?;
        let mut got = Vec::new();
        loop {
            match timeout(DIRECT_PATIENCE, answers.next()).await {
                Ok(Some(answer)) if answer.status.is_none() => got.push(answer),
                Ok(_) => return Ok(got),
                Err(_) => {
                    tracing::warn!(stream = self.name, "a replica is silent: the stream's leader is read instead");
                    *silent_until() = Some(Instant::now() + DIRECT_PAUSE);
                    return Ok(got);
                }
            }
        }
    }

    /// What an exchange with the servers comes to, if that does not take longer.
    pub async fn within<T>(
        &self,
        patience: Duration,
        exchange: impl Future<Output = Result<T, StreamError>>,
    ) -> Result<T, StreamError> {
        let answered = timeout(patience, exchange).await;
        answered.unwrap_or_else(|_| Err(self.unanswered("no answer in time".to_owned())))
    }

    fn unanswered(&self, why: String) -> StreamError {
        StreamError::Unanswered { stream: self.name.clone(), why }
    }

    pub fn damaged(&self, sequence: u64, why: &'static str) -> StreamError {
        StreamError::Damaged { stream: self.name.clone(), sequence, why }
    }

    /// The most bytes that a message may have.
    pub fn max_payload(&self) -> usize {
        self.client.max_payload()
    }

    /// Asks `JetStream`, until it answers or the patience ends.
    pub async fn api(&self, what: &str, query: &Value) -> Result<Value, StreamError> {
        let deadline = Instant::now() + PATIENCE;
        let subject = format!("$JS.API.{what}.{}", self.name);
        loop {
            let request = Request::new().payload(query.to_string().into());
            let answered = self.request(subject.clone(), request).await;
            // What an account may not ask is not answered.
            if answered.is_err()
                && let Some(denied) = self.denied.of(&subject)
            {
                return Err(self.unanswered(format!("{what}: the account has too few rights: {denied}")));
            }
            match answered {
                // Without a leader, JetStream is not available; with too few servers yet, it finds no place.
                Ok(answer) if answer["error"]["code"] != 503 && answer["error"]["err_code"] != NO_PEERS => {
                    return Ok(answer);
                }
                answered if Instant::now() >= deadline => {
                    let why = answered.map_or_else(|why| why, |answer| answer["error"]["description"].to_string());
                    return Err(self.unanswered(format!("{what}: {why}")));
                }
                _ => sleep(PAUSE).await,
            }
        }
    }

    /// One request, and its answer or why there is none.
    pub async fn request(&self, subject: String, request: Request) -> Result<Value, String> {
        let is_api = subject.starts_with("$JS.API.");
        let answer = timeout(ATTEMPT, self.client.send_request(subject, request.timeout(None))).await;
        let answer = answer.map_err(|_| "no answer in time".to_owned())?;
        if is_api && answer.as_ref().is_err_and(|why| why.kind() == RequestErrorKind::NoResponders) {
            self.leave_server().await;
        }
        let answer = answer.map_err(|why| why.to_string())?;
        serde_json::from_slice(&answer.payload).map_err(|_| "an answer that is no JSON".to_owned())
    }

    /// Turns to another of the servers, if this one has no `JetStream` and hears of none that has.
    async fn leave_server(&self) {
        {
            let mut left_at = self.left_at.lock().unwrap_or_else(PoisonError::into_inner);
            if left_at.is_some_and(|at| at.elapsed() < JETSTREAM_PATIENCE) {
                return;
            }
            *left_at = Some(Instant::now());
        }
        tracing::warn!(stream = self.name, "this server has no JetStream: is its disk full? Another one is asked");
        // Without a connection, there is none to leave.
        let _ = self.client.force_reconnect().await;
    }

    /// A question with several answers.
    pub async fn ask(&self, subject: &str, payload: Bytes) -> Result<Subscriber, StreamError> {
        let unanswered = |why| self.unanswered(why);
        let inbox = self.client.new_inbox();
        let asked = async {
            let answers = self.client.subscribe(inbox.clone()).await.map_err(|why| unanswered(why.to_string()))?;
            let published = self.client.publish_with_reply(subject.to_owned(), inbox, payload).await;
            published.map_err(|why| unanswered(why.to_string()))?;
            Ok(answers)
        };
        timeout(PATIENCE, asked).await.map_err(|_| unanswered("no connection".to_owned()))?
    }

    pub fn refuse_error(&self, answer: &Value) -> Result<(), StreamError> {
        match &answer["error"] {
            Value::Null => Ok(()),
            error => {
                let why = error["description"].as_str().unwrap_or("no reason is given").to_owned();
                Err(StreamError::Refused {
                    stream: self.name.clone(),
                    code: error["err_code"].as_u64().unwrap_or(0),
                    why,
                })
            }
        }
    }
}

/// How to connect.
fn options(address: &NatsAddress, access: &NatsAccess) -> Result<ConnectOptions, StreamError> {
    let mut options = ConnectOptions::new().name("plybook").connection_timeout(ATTEMPT).require_tls(address.is_tls);
    options = options.ping_interval(PING_INTERVAL);
    if let Some(path) = &access.authorities {
        options = options.add_root_certificates(path.clone());
    }
    let Some(path) = &access.credentials else { return Ok(options) };
    let unreadable = |source| StreamError::Credentials { path: path.clone(), source };
    let text = fs::read_to_string(path).map_err(unreadable)?;
    match text.trim().split_once(':') {
        Some((user, password)) if !text.contains("BEGIN NATS USER JWT") => {
            Ok(options.user_and_password(user.to_owned(), password.to_owned()))
        }
        _ => options.credentials(&text).map_err(|_| {
            unreadable(std::io::Error::other("it holds neither what nsc writes nor one line USER:PASSWORD"))
        }),
    }
}

/// Whether a connection may be had a moment later.
fn is_passing(why: ConnectErrorKind) -> bool {
    matches!(why, ConnectErrorKind::Io | ConnectErrorKind::TimedOut)
}

/// The sequence and the contents of a message as a replica answers it.
fn read(answer: &Answer) -> Result<(u64, Message), &'static str> {
    let empty = HeaderMap::new();
    let headers = answer.headers.as_ref().unwrap_or(&empty);
    let header = |name: &str| headers.get(name).map(async_nats::HeaderValue::as_str);
    let sequence = header("Nats-Sequence").and_then(|text| text.parse().ok()).ok_or("it has no sequence")?;
    Ok((sequence, Message::read(header(message::POSITION), header(message::ID), answer.payload.clone())?))
}
