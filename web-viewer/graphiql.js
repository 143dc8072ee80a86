// GraphiQL on our own API: queries and mutations by POST, subscriptions over the WebSocket.
// React, ReactDOM and GraphiQL come from vendor/graphiql/ as globals.

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

/** The protocol of the socket; see api/src/http/socket/. */
const PROTOCOL = "graphql-transport-ws";

/**
 * GraphiQL's way to the API: a promise of a response, or, for a subscription, an async iterator.
 *
 * The operation's type is read from the parsed document GraphiQL hands over.
 */
function fetcher(params, { headers = {}, documentAST } = {}) {
  const operations = (documentAST?.definitions ?? []).filter((part) => part.kind === "OperationDefinition");
  const operation = params.operationName
    ? operations.find((part) => part.name?.value === params.operationName)
    : operations[0];
  return operation?.operation === "subscription" ? subscribe(params, headers) : post(params, headers);
}

async function post(params, headers) {
  const response = await fetch("/graphql", {
    method: "POST",
    headers: { accept: "application/graphql-response+json", "content-type": "application/json", ...headers },
    body: JSON.stringify(params),
  });
  return response.json();
}

/** One socket a subscription: it is open as long as its results are read. */
async function* subscribe(params, headers) {
  const address = new URL("/graphql", location.href);
  address.protocol = address.protocol === "https:" ? "wss:" : "ws:";
  const socket = new WebSocket(address, PROTOCOL);
  const arrived = [];
  let wake = () => {};
  const put = (item) => {
    arrived.push(item);
    wake();
  };
  const authorization = Object.entries(headers).find(([name]) => name.toLowerCase() === "authorization")?.[1];
  const say = (message) => socket.send(JSON.stringify(message));
  socket.onopen = () => say({ type: "connection_init", payload: authorization ? { Authorization: authorization } : {} });
  socket.onclose = ({ code, reason }) => put({ end: true, value: code === 1000 ? null : closed(code, reason) });
  socket.onmessage = ({ data }) => {
    const message = JSON.parse(data);
    if (message.type === "connection_ack") say({ id: "1", type: "subscribe", payload: params });
    if (message.type === "next") put({ value: message.payload });
    if (message.type === "error") put({ end: true, value: { errors: message.payload } });
    if (message.type === "complete") put({ end: true, value: null });
    if (message.type === "ping") say({ type: "pong" });
  };
  try {
    for (;;) {
      while (arrived.length > 0) {
        const { value, end } = arrived.shift();
        if (value) yield value;
        if (end) return;
      }
      await new Promise((resolve) => (wake = resolve));
    }
  } finally {
    socket.onclose = null;
    socket.close(1000);
  }
}

function closed(code, reason) {
  return { errors: [{ message: `the socket was closed: ${reason || "no reason given"} (${code})` }] };
}

ReactDOM.createRoot(document.getElementById("graphiql")).render(
  React.createElement(GraphiQL, { fetcher, defaultQuery: EXAMPLE, defaultEditorToolsVisibility: true }),
);
