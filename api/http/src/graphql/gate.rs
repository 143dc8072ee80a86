//! The way into the schema: who calls, whether the request is within the limits, and its execution on the
//! workers.

use std::panic::AssertUnwindSafe;
use std::sync::Arc;

use actix_web::web::Bytes;
use async_graphql::parser::types::{ExecutableDocument, OperationDefinition, OperationType};
use async_graphql::{Executor, Extensions, Request, Response, ServerError, Value, value};
use futures_util::stream::{self, BoxStream, StreamExt};
use plybook_service::access::{Caller, Refusal, Role};
use plybook_service::load::{AdmissionError, Allowance, Asker, Execution, Load, UNIT_US};
use serde_json::value::{RawValue, to_raw_value};
use tokio::sync::mpsc;
use tokio_stream::wrappers::ReceiverStream;

use super::fault::{code, coded, exhausted, fault, is_unexecuted, not_admitted, settle};
use super::limits::Limits;
use super::size::{Excess, measure, scan};
use crate::client::Client;
use crate::metrics::Metrics;
use crate::pool::PoolShare;
use crate::pools::{Pools, price_of_text};

/// The price of asking for the schema, in units: what `GraphiQL` asks for takes this long.
const INTROSPECTION_UNITS: u64 = 4_000;

/// The highest price of a text, in units, at which it is read on a network thread.
const READ_HERE_MAX: u64 = 10;

/// The length of a document, in bytes, beyond which it is validated among expensive operations: a name that is not known is
/// compared with all that are.
const LONG: usize = 8 << 10;

/// The most errors of a query that are reported.
const ERRORS_MAX: usize = 100;

type Run = Arc<dyn Fn(Request) -> BoxStream<'static, Response> + Send + Sync>;
type Identify = Arc<dyn Fn(Option<&str>) -> Result<Caller, Refusal> + Send + Sync>;

/// Identifies who makes a request.
#[derive(Clone)]
pub struct Stamp {
    caller: Caller,
    /// The client that it counts against.
    pub asker: Asker,
    /// Whether it has no token.
    pub is_anonymous: bool,
}

/// The schema as the transport sees it, over both HTTP and WebSocket.
#[derive(Clone)]
pub struct Gate {
    run: Run,
    identify: Identify,
    limits: Limits,
    pools: Pools,
    load: Load,
    metrics: Metrics,
}

/// An operation that may be executed.
pub struct Operation {
    request: Request,
    kind: OperationType,
    /// The memory that the operation holds while it runs.
    held: Vec<PoolShare>,
    /// The price of what it asks of the schema, in units.
    introspection: u64,
    /// Whether the client asked for the cost.
    tells_cost: bool,
    /// Whether validating it may take long.
    is_long: bool,
}

/// The answer to an operation.
#[derive(Debug)]
pub enum Answer {
    /// It was executed.
    Executed {
        /// The response as JSON.
        text: Box<RawValue>,
        /// The memory that the text holds.
        held: Option<PoolShare>,
        /// What is left of the client's budget.
        left: Option<(Allowance, u32)>,
    },
    /// Nothing was executed, for these reasons.
    AdmissionError(Vec<ServerError>),
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

    /// The workers and budgets, which operations share with other requests.
    pub fn load(&self) -> &Load {
        &self.load
    }

    pub(crate) fn limits(&self) -> &Limits {
        &self.limits
    }

    pub(crate) fn pools(&self) -> &Pools {
        &self.pools
    }

    pub(crate) fn metrics(&self) -> &Metrics {
        &self.metrics
    }

    /// Identifies the caller by its token; without one, by `address`.
    ///
    /// # Errors
    /// The token is not valid.
    pub fn identify(&self, token: Option<&str>, address: Client) -> Result<Stamp, Refusal> {
        let caller = (self.identify)(token)?;
        let client = token.map_or(address, Client::with_token);
        let asker = Asker { is_administrator: caller.role == Role::Admin, ..Asker::from(client) };
        Ok(Stamp { caller, asker, is_anonymous: token.is_none() })
    }

    /// Reads the text of a request and parses what is in it. What takes long is paid for and read on the workers, as a network thread
    /// serves many clients.
    ///
    /// # Errors
    /// The client's budget does not cover it, or too many of its operations wait.
    pub async fn read<T: Send + 'static>(
        &self,
        asker: Asker,
        text: Bytes,
        read: impl FnOnce(&[u8]) -> T + Send + 'static,
    ) -> Result<T, AdmissionError> {
        let price = price_of_text(&text);
        if price <= READ_HERE_MAX {
            return Ok(read(&text));
        }
        let execution = self.load.execution(asker);
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
        let (kind, is_long) = (operation.kind, operation.is_long);
        let is_mutation = kind == OperationType::Mutation;
        let execution = self.load.execution(Asker { is_mutation, ..stamp.asker });
        let mut answers = self.answers(operation, stamp, &execution);
        let (told, heard) = mpsc::channel(1);
        let paying = Arc::clone(&execution);
        let task = execution.execute(async move {
            if is_long && let Err(why) = paying.slow_down(true).await {
                // Who has gone need not know.
                let _ = told.send(Answer::AdmissionError(vec![not_admitted(&why)])).await;
                return;
            }
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
                self.metrics.operation(name_of(kind), Some(&error));
                stream::once(async { Answer::AdmissionError(vec![error]) }).boxed()
            }
            Ok(task) if is_mutation => {
                drop(task.detach());
                heard.boxed()
            }
            // Dropping the stream drops the task.
            Ok(task) => heard.map(move |answer| (answer, &task).0).boxed(),
        }
    }

    /// The answers to an operation, executed by the task that polls.
    fn answers(&self, operation: Operation, stamp: &Stamp, execution: &Arc<Execution>) -> BoxStream<'static, Answer> {
        let Operation { mut request, kind, introspection, tells_cost, held, .. } = operation;
        request.data.insert(stamp.caller.clone());
        let room = self.pools.memory.nothing(stamp.asker);
        request.data.insert(room.another());
        // Given back when the operation is over and its data is dropped.
        request.data.insert(held);
        execution.add(introspection);
        request.data.insert(Arc::clone(execution));
        let metrics = self.metrics.clone();
        let mut counted = false;
        let execution = Arc::downgrade(execution);
        let answers = AssertUnwindSafe((self.run)(request)).catch_unwind().map(move |response| {
            let mut response = response.unwrap_or_else(|_| {
                tracing::error!("a resolver panicked");
                internal()
            });
            if !response.errors.is_empty() {
                // What a mutation could not answer is told in any case.
                if kind != OperationType::Mutation {
                    response.errors.truncate(ERRORS_MAX);
                }
                settle(&mut response);
            }
            // A subscription that fails before it sends anything was not opened.
            let is_unopened = !counted && kind == OperationType::Subscription && response.data == Value::Null;
            if !counted {
                metrics.operation(name_of(kind), response.errors.first());
                counted = true;
            }
            if is_unopened || is_unexecuted(&response) {
                return Answer::AdmissionError(response.errors);
            }
            let execution = execution.upgrade();
            if tells_cost && let Some(execution) = &execution {
                response.extensions.insert("cost".to_owned(), cost(execution));
            }
            let left = execution.and_then(|execution| execution.left());
            Answer::executed(&response, room.another(), kind, left)
        });
        answers.boxed()
    }
}

impl Answer {
    /// An answer that does not fit into memory is refused, unless something was recorded.
    fn executed(response: &Response, mut held: PoolShare, kind: OperationType, left: Option<(Allowance, u32)>) -> Self {
        let text = to_text(response);
        let bytes = text.get().len() as u64;
        if kind == OperationType::Mutation {
            held.set(bytes);
        } else if let Err(why) = held.try_grow(bytes) {
            return Self::AdmissionError(vec![exhausted(why)]);
        }
        Self::Executed { text, held: Some(held), left }
    }

    /// The answer to an internal failure.
    pub fn internal() -> Self {
        Self::Executed { text: to_text(&internal()), held: None, left: None }
    }
}

impl Operation {
    pub fn kind(&self) -> OperationType {
        self.kind
    }

    pub fn extensions(&self) -> &Extensions {
        &self.request.extensions
    }

    /// Attaches something for the operation to hold while it runs.
    pub fn hold(&mut self, held: PoolShare) {
        self.held.push(held);
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

/// Parses a request and checks it against the limits.
///
/// # Errors
/// `BAD_INPUT` if there is nothing to execute, `TOO_COMPLEX` if it exceeds a limit.
pub fn examine(mut request: Request) -> Result<Operation, ServerError> {
    let too_large = |excess: Excess| fault(code::TOO_COMPLEX, excess.to_string());
    scan(&request.query).map_err(too_large)?;
    let (name, variables) = (request.operation_name.clone(), std::mem::take(&mut request.variables));
    let document = request.parsed_query().map_err(|error| coded(error, code::BAD_INPUT))?;
    let introspection = if measure(document).map_err(too_large)? { INTROSPECTION_UNITS } else { 0 };
    let operation = selected(document, name.as_deref())?;
    // async-graphql notices only when a resolver reads the variable.
    let missing = operation.variable_definitions.iter().find(|definition| {
        let definition = &definition.node;
        let is_required = !definition.var_type.node.nullable && definition.default_value.is_none();
        is_required && !variables.contains_key(&definition.name.node)
    });
    if let Some(definition) = missing {
        let says = format!("the variable ${} is required and not given", definition.node.name.node);
        return Err(coded(ServerError::new(says, Some(definition.pos)), code::BAD_INPUT));
    }
    let kind = operation.ty;
    request.variables = variables;
    let tells_cost = request.extensions.get("cost") == Some(&Value::Boolean(true));
    let is_long = request.query.len() > LONG;
    Ok(Operation { request, kind, introspection, tells_cost, is_long, held: Vec::new() })
}

/// The operation that would be executed.
fn selected<'a>(document: &'a ExecutableDocument, name: Option<&str>) -> Result<&'a OperationDefinition, ServerError> {
    let mut named = document
        .operations
        .iter()
        .filter(|(own, _)| name.is_none_or(|name| own.is_some_and(|own| own.as_str() == name)));
    match (named.next(), named.next(), name) {
        (Some((_, operation)), None, _) => Ok(&operation.node),
        (_, _, None) => {
            Err(fault(code::BAD_INPUT, "the document has several operations; name one with `operationName`"))
        }
        (_, _, Some(name)) => Err(fault(code::BAD_INPUT, format!("the document has no operation named {name:?}"))),
    }
}

fn name_of(kind: OperationType) -> &'static str {
    match kind {
        OperationType::Query => "query",
        OperationType::Mutation => "mutation",
        OperationType::Subscription => "subscription",
    }
}
