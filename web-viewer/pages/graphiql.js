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

const { href } = new URL("/graphql", location.href);
const send = GraphiQL.createFetcher({
  url: href,
  subscriptionUrl: href.replace(/^http/, "ws"),
  headers: { accept: "application/graphql-response+json" },
  enableIncrementalDelivery: false,
});

/** The text is parsed here: the document that GraphiQL hands over lags behind the editor. */
function fetcher(params, options) {
  return send(params, { ...options, documentAST: parsed(params.query) });
}

/** The document of a text; one that does not parse is for the API to refuse. */
function parsed(query) {
  try {
    return GraphiQL.GraphQL.parse(query);
  } catch {
    return undefined;
  }
}

ReactDOM.createRoot(document.getElementById("graphiql")).render(
  React.createElement(GraphiQL, { fetcher, defaultQuery: EXAMPLE, defaultEditorToolsVisibility: true }),
);
