//! The way into the schema: who calls, and the execution of operations on the workers.

use std::panic::AssertUnwindSafe;
use std::sync::Arc;

use actix_web::web::Bytes;
use async_graphql::parser::types::OperationType;
use async_graphql::{Executor, Request, Response, ServerError, Value, value};
use futures_util::stream::{self, BoxStream, StreamExt};
use plybook_service::access::{Caller, Refusal, Role};
use plybook_service::load::{Allowance, Client, Execution, Load, LoadError, UNIT_US};
use serde_json::value::{RawValue, to_raw_value};
use tokio::sync::mpsc;
use tokio_stream::wrappers::ReceiverStream;

use super::fault::{code, fault, is_unexecuted, not_admitted, settle};
use super::limits::Limits;
use super::operation::{Operation, price_of_text, without_fillers};
use crate::metrics::Metrics;
use crate::pool::PoolShare;
use crate::pools::Pools;

/// The highest price of a text, in units, at which it is read on a network thread.
const READ_HERE_MAX: u64 = 10;

/// The most errors of a query that are reported.
const ERRORS_MAX: usize = 100;

type Run = Arc<dyn Fn(Request) -> BoxStream<'static, Response> + Send + Sync>;
type Identify = Arc<dyn Fn(Option<&str>) -> Result<Caller, Refusal> + Send + Sync>;

/// Who makes a request.
#[derive(Clone)]
pub struct Stamp {
    caller: Caller,
    /// The client that it counts against.
    pub client: Client,
}

/// The schema as the transport sees it, over both HTTP and WebSocket.
#[derive(Clone)]
pub struct Gate {
    run: Run,
    identify: Identify,
    pub(crate) limits: Limits,
    pub(crate) pools: Pools,
    /// The workers and budgets, which operations share with other requests.
    pub(crate) load: Load,
    pub(crate) metrics: Metrics,
}

/// The answer to an operation; if nothing was executed, why.
pub type Answer = Result<Executed, Vec<ServerError>>;

/// What came of an operation.
#[derive(Debug)]
pub struct Executed {
    /// The response as JSON.
    pub text: Box<RawValue>,
    /// The memory that the text holds.
    pub held: Option<PoolShare>,
    /// What is left of the client's budget.
    pub left: Option<(Allowance, u32)>,
}

impl Gate {
    /// A gate to `schema`.
    ///
    /// `identify` is called with the token of every request (`None` if it has none). Resolvers get the [`Caller`]
    /// by `context.data`, and likewise the [`Execution`] and an empty [`PoolShare`] of the memory. On a socket with a token it is called again before every
    /// operation and every answer, and once a second, so that revoking the token closes the socket.
    pub fn new(
        schema: impl Executor,
        identify: impl Fn(Option<&str>) -> Result<Caller, Refusal> + Send + Sync + 'static,
        limits: Limits,
        metrics: Metrics,
    ) -> Self {
        let load = Load::new(limits.load);
        metrics.register(|registry| load.register(registry));
        Self {
            run: Arc::new(move |request| schema.execute_stream(request, None)),
            identify: Arc::new(identify),
            pools: Pools::new(&limits.shares, &metrics),
            load,
            limits,
            metrics,
        }
    }

    /// Identifies the caller by its token; without one, by `address`.
    ///
    /// # Errors
    /// The token is not valid.
    pub fn identify(&self, token: Option<&str>, address: Client) -> Result<Stamp, Refusal> {
        let caller = (self.identify)(token)?;
        let client = token.map_or(address, |token| Client::with_token(token, caller.role == Role::Admin));
        Ok(Stamp { caller, client })
    }

    /// Reads the text of a request and parses what is in it. What takes long is paid for and read on the workers, as a network thread
    /// serves many clients.
    ///
    /// # Errors
    /// The client's budget does not cover it, or too many of its operations wait.
    pub async fn read<T: Send + 'static>(
        &self,
        client: Client,
        text: Bytes,
        read: impl FnOnce(&[u8]) -> T + Send + 'static,
    ) -> Result<T, LoadError> {
        let price = price_of_text(&text);
        if price <= READ_HERE_MAX {
            return Ok(read(&text));
        }
        let execution = self.load.execution(client);
        let paying = Arc::clone(&execution);
        let task = execution.execute(async move {
            paying.admit(price).await?;
            Ok(read(&text))
        })?;
        task.await.expect("reading does not panic")
    }

    /// Executes the operation on the workers. There is one answer, or any number of them for a subscription;
    /// at most one is buffered.
    ///
    /// A mutation runs to its end even if the client no longer waits for the answer. A resolver that panics
    /// fails its operation and nothing else.
    pub fn run(&self, operation: Operation, stamp: &Stamp) -> BoxStream<'static, Answer> {
        let kind = operation.kind;
        let execution = match kind {
            OperationType::Mutation => self.load.mutation(stamp.client),
            OperationType::Query | OperationType::Subscription => self.load.execution(stamp.client),
        };
        if operation.is_long() {
            execution.begin_slowly();
        }
        let mut answers = self.answers(operation, stamp, &execution);
        let (told, heard) = mpsc::channel(1);
        let paying = Arc::clone(&execution);
        let task = execution.execute(async move {
            while let Some(answer) = answers.next().await {
                if told.send(answer).await.is_err() {
                    break;
                }
                if kind == OperationType::Subscription {
                    paying.pay(paying.price()).await;
                }
            }
        });
        let heard = ReceiverStream::new(heard);
        match task {
            Err(why) => {
                let error = not_admitted(&why);
                self.metrics.operation(&kind.to_string(), Some(&error));
                stream::iter([Err(vec![error])]).boxed()
            }
            Ok(task) if kind == OperationType::Mutation => {
                drop(task.detach());
                heard.boxed()
            }
            // Dropping the stream drops the task.
            Ok(task) => heard.map(move |answer| (answer, &task).0).boxed(),
        }
    }

    /// The answers to an operation, executed by the task that polls.
    fn answers(&self, operation: Operation, stamp: &Stamp, execution: &Arc<Execution>) -> BoxStream<'static, Answer> {
        let Operation { mut request, kind, price, held, is_filled } = operation;
        let tells_cost = request.extensions.get("cost") == Some(&Value::Boolean(true));
        let room = self.pools.memory.nothing(stamp.client);
        execution.add(price);
        request = request.data(stamp.caller.clone()).data(room.another()).data(Arc::clone(execution));
        // Given back when the operation is over and its data is dropped.
        request.data.insert(held);
        let (metrics, execution) = (self.metrics.clone(), Arc::downgrade(execution));
        let mut counted = false;
        let answers = AssertUnwindSafe((self.run)(request)).catch_unwind().map(move |response| {
            let mut response = response.unwrap_or_else(|_| {
                tracing::error!("a resolver panicked");
                internal()
            });
            // A mutation names everything that it could not answer.
            if kind != OperationType::Mutation {
                response.errors.truncate(ERRORS_MAX);
            }
            settle(&mut response);
            if is_filled {
                without_fillers(&mut response.data);
            }
            // A subscription that fails before it sends anything was not opened.
            let is_unopened = !counted && kind == OperationType::Subscription && response.data == Value::Null;
            if !counted {
                metrics.operation(&kind.to_string(), response.errors.first());
                counted = true;
            }
            if !response.errors.is_empty() && (is_unopened || is_unexecuted(&response)) {
                return Err(response.errors);
            }
            let execution = execution.upgrade();
            if tells_cost && let Some(execution) = &execution {
                response.extensions.insert("cost".to_owned(), cost(execution));
            }
            let (text, mut held) = (to_text(&response), room.another());
            let bytes = text.get().len() as u64;
            // What does not fit into memory is refused, unless something was recorded.
            if kind == OperationType::Mutation {
                held.set(bytes);
            } else {
                held.try_grow(bytes).map_err(|why| vec![not_admitted(&why)])?;
            }
            Ok(Executed { text, held: Some(held), left: execution.and_then(|execution| execution.left()) })
        });
        answers.boxed()
    }
}

impl Executed {
    /// An internal failure.
    pub fn internal() -> Self {
        Self { text: to_text(&internal()), held: None, left: None }
    }
}

/// The cost of an operation, as reported in `extensions.cost`: it depends on nothing but the request and the
/// limits, because the time that something takes may reveal more than the answer.
fn cost(execution: &Execution) -> Value {
    value!({ "price": execution.price(), "limit": execution.limit(), "unitUs": UNIT_US })
}

fn to_text(response: &Response) -> Box<RawValue> {
    to_raw_value(response).expect("a response has string keys and finite numbers")
}

/// The response to an internal failure.
fn internal() -> Response {
    Response::from_errors(vec![fault(code::INTERNAL, "internal error")])
}
