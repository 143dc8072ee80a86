// GraphiQL on our own API: queries and mutations by POST, subscriptions over WebSocket. React, ReactDOM and
// GraphiQL come from vendor/graphiql/ as globals.

const { React, ReactDOM, GraphiQL } = globalThis;

const EXAMPLE = `# Plybook's API. Ctrl-Enter runs the query; the documentation is behind the first icon on the left.
# A token goes into the tab "Headers" below: {"Authorization": "Bearer <token>"}

{
  __schema {
    queryType {
      fields {
        name
        description
      }
    }
  }
}
`;

/** The protocol of the socket; see api/http/src/graphql/socket/. */
const PROTOCOL = "graphql-transport-ws";

/**
 * GraphiQL's access to the API: a promise of a response, or, for a subscription, an async iterator.
 *
 * The text is parsed here: the document GraphiQL can hand over lags behind the editor.
 */
function fetcher(params, { headers = {} } = {}) {
  return operationType(params) === "subscription" ? subscribe(params, headers) : post(params, headers);
}

/** The type of the operation that would run; text that does not parse is for the API to refuse. */
function operationType({ query, operationName }) {
  const { parse, getOperationAST } = GraphiQL.GraphQL;
  try {
    return getOperationAST(parse(query), operationName)?.operation;
  } catch {
    return undefined;
  }
}

async function post(params, headers) {
  const response = await fetch("/graphql", {
    method: "POST",
    headers: { accept: "application/graphql-response+json", "content-type": "application/json", ...headers },
    body: JSON.stringify(params),
  });
  return response.json();
}

/**
 * One socket per subscription, open as long as its results are read.
 *
 * Not a generator, since one that is waiting for a result cannot be ended before it arrives.
 */
function subscribe(params, headers) {
  const address = new URL("/graphql", location.href);
  address.protocol = address.protocol === "https:" ? "wss:" : "ws:";
  const socket = new WebSocket(address, PROTOCOL);
  const authorization = Object.entries(headers).find(([name]) => name.toLowerCase() === "authorization")?.[1];
  const arrived = [];
  let hasEnded = false;
  let wake = () => {};

  const put = (value) => {
    if (value && !hasEnded) arrived.push(value);
    wake();
  };
  const end = (value) => {
    put(value);
    hasEnded = true;
    socket.close(1000);
    wake();
  };
  const say = (message) => socket.send(JSON.stringify(message));

  socket.onopen = () => say({ type: "connection_init", payload: authorization ? { Authorization: authorization } : {} });
  socket.onclose = ({ code, reason }) => end(closed(code, reason));
  socket.onmessage = ({ data }) => {
    const message = JSON.parse(data);
    if (message.type === "connection_ack") say({ id: "1", type: "subscribe", payload: params });
    if (message.type === "next") put(message.payload);
    if (message.type === "error") end({ errors: message.payload });
    if (message.type === "complete") end();
    if (message.type === "ping") say({ type: "pong" });
  };
  return {
    async next() {
      while (arrived.length === 0 && !hasEnded) await new Promise((resolve) => (wake = resolve));
      return arrived.length > 0 ? { value: arrived.shift(), done: false } : { value: undefined, done: true };
    },
    async return() {
      end();
      return { value: undefined, done: true };
    },
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}

function closed(code, reason) {
  return { errors: [{ message: `the socket was closed: ${reason || "no reason given"} (${code})` }] };
}

ReactDOM.createRoot(document.getElementById("graphiql")).render(
  React.createElement(GraphiQL, { fetcher, defaultQuery: EXAMPLE, defaultEditorToolsVisibility: true }),
);
