//! A service in this process, on a free port, and the requests of hostile and innocent clients.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::sync::{Arc, mpsc};
use std::time::{Duration, Instant};

use plybook_api::access::{Caller, Role, Tokens};
use plybook_api::http::{Doors, Gate, Limits, Metrics, Readiness, Site, serve};
use plybook_api::service::Service;
use plybook_api::{export, schema};
use plybook_events::LogId;
use plybook_store::Store;
use plybook_tests::logs;
use serde_json::{Value, json};
use tungstenite::client::IntoClientRequest;
use tungstenite::http::HeaderValue;
use tungstenite::protocol::Message;
use tungstenite::{Error, HandshakeError, WebSocket};

/// A service over an empty store in memory.
pub struct House {
    pub addr: SocketAddr,
    pub metrics: Metrics,
    pub service: Arc<Service>,
    pub tokens: Arc<Tokens>,
    stop: Option<tokio::sync::oneshot::Sender<()>>,
    running: Option<std::thread::JoinHandle<()>>,
}

impl House {
    pub fn new(limits: Limits) -> Self {
        let service = Service::start(Store::in_memory().unwrap()).unwrap();
        let (tokens, metrics) = (Arc::new(Tokens::in_memory()), Metrics::new());
        let (tell, told) = mpsc::channel();
        let (stop, stopped) = tokio::sync::oneshot::channel();
        let (house, known, counts) = (Arc::clone(&service), Arc::clone(&tokens), metrics.clone());
        let running = std::thread::spawn(move || {
            actix_web::rt::System::new().block_on(async move {
                let identify = move |token: Option<&str>| known.identify(token);
                let gate = Gate::new(schema::build(Arc::clone(&house)), identify, limits, counts);
                let site = Site::new(gate, Doors::at([127, 0, 0, 1].into()), || Readiness::Ready);
                let routes = move |config: &mut actix_web::web::ServiceConfig| export::configure(config, &house);
                let server = serve(([127, 0, 0, 1], 0).into(), &site, routes).unwrap();
                tell.send(server.addr()).unwrap();
                let _ = stopped.await;
                server.stop().await.unwrap();
            });
        });
        let addr = told.recv().unwrap();
        Self { addr, metrics, service, tokens, stop: Some(stop), running: Some(running) }
    }

    /// A token for a role.
    pub fn token(&self, role: Role) -> String {
        self.tokens.create(&Caller { role, ..Caller::SPECTATOR }, "hostile", None).unwrap()
    }

    /// A game whose log has this many events: comments after its start.
    pub fn game(&self, events: u64) -> String {
        let token = self.token(Role::Recorder);
        let create = "mutation { createGame(input: { kind: \"triangulate\", seats: [{}, {}] }) { id } }";
        let made = self.ask(Some(&token), create);
        let id = made["data"]["createGame"]["id"].as_str().unwrap().to_owned();
        let log: LogId = id.parse().unwrap();
        logs::comment(self.service.log(), log, events - 1);
        id
    }

    /// Sends a request as an innocent client does, on a separate connection.
    pub fn ask(&self, token: Option<&str>, query: &str) -> Value {
        let (status, body) = self.post(token, &json!({ "query": query }).to_string());
        assert_eq!(status, 200, "{body}");
        serde_json::from_str(&body).unwrap()
    }

    pub fn post(&self, token: Option<&str>, body: &str) -> (u16, String) {
        let mut stream = self.connect();
        let bearer = token.map(|token| format!("authorization: Bearer {token}\r\n")).unwrap_or_default();
        let head = self.head(body.len(), &format!("connection: close\r\n{bearer}"));
        stream.write_all(format!("{head}{body}").as_bytes()).unwrap();
        read_answer(&mut stream)
    }

    /// The head of a request that announces a body.
    pub fn head(&self, announced: usize, more: &str) -> String {
        let addr = self.addr;
        format!(
            "POST /graphql HTTP/1.1\r\nhost: {addr}\r\ncontent-type: application/json\r\n{more}content-length: {announced}\r\n\r\n"
        )
    }

    pub fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(self.addr).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
        stream.set_write_timeout(Some(Duration::from_secs(20))).unwrap();
        stream
    }

    /// A socket whose connection is acknowledged; the error is the status and the body of the refusal.
    pub fn socket(&self, token: Option<&str>) -> Result<Socket, (u16, Value)> {
        let mut socket = self.open_socket(token)?;
        socket.say(&json!({ "type": "connection_init" }));
        assert_eq!(socket.hear(), Some(json!({ "type": "connection_ack" })));
        Ok(socket)
    }

    /// A socket on which nothing was sent yet.
    pub fn open_socket(&self, token: Option<&str>) -> Result<Socket, (u16, Value)> {
        let mut request = format!("ws://{}/graphql", self.addr).into_client_request().unwrap();
        let headers = request.headers_mut();
        headers.insert("sec-websocket-protocol", HeaderValue::from_static("graphql-transport-ws"));
        if let Some(token) = token {
            headers.insert("authorization", HeaderValue::from_str(&format!("Bearer {token}")).unwrap());
        }
        match tungstenite::client(request, self.connect()) {
            Ok((socket, _)) => Ok(Socket(socket)),
            Err(HandshakeError::Failure(Error::Http(response))) => {
                let body = response.body().as_deref().unwrap_or_default();
                Err((response.status().as_u16(), serde_json::from_slice(body).unwrap_or(Value::Null)))
            }
            Err(other) => panic!("{other}"),
        }
    }

    /// The value of a line of the metrics.
    pub fn count(&self, name: &str) -> i64 {
        let text = self.metrics.text();
        let line = text.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(' '));
        line.unwrap_or_else(|| panic!("{name} is missing in\n{text}")).parse().unwrap()
    }

    /// Waits until a count has a value.
    pub fn wait_for(&self, name: &str, is_right: impl Fn(i64) -> bool) -> i64 {
        let start = Instant::now();
        loop {
            let count = self.count(name);
            if is_right(count) {
                return count;
            }
            assert!(start.elapsed() < Duration::from_secs(60), "{name} stays at {count}");
            std::thread::sleep(Duration::from_millis(10));
        }
    }
}

impl Drop for House {
    fn drop(&mut self) {
        drop(self.stop.take());
        let _ = self.running.take().map(std::thread::JoinHandle::join);
    }
}

/// The status and the body of an answer after which the connection ends.
pub fn read_answer(stream: &mut TcpStream) -> (u16, String) {
    let mut bytes = Vec::new();
    // A connection that is reset has nothing more to say.
    let _ = stream.read_to_end(&mut bytes);
    let text = String::from_utf8_lossy(&bytes).into_owned();
    let (head, body) = text.split_once("\r\n\r\n").unwrap_or((&text, ""));
    (head.split(' ').nth(1).and_then(|status| status.parse().ok()).unwrap_or(0), body.to_owned())
}

/// A client's end of a socket.
pub struct Socket(pub WebSocket<TcpStream>);

impl Socket {
    pub fn say(&mut self, message: &Value) {
        self.0.send(Message::text(message.to_string())).unwrap();
    }

    pub fn subscribe(&mut self, id: &str, query: &str) {
        self.say(&json!({ "type": "subscribe", "id": id, "payload": { "query": query } }));
    }

    /// The next message; [`None`] once the socket is closed.
    pub fn hear(&mut self) -> Option<Value> {
        loop {
            match self.0.read() {
                Ok(Message::Text(text)) => return Some(serde_json::from_str(&text).unwrap()),
                Ok(Message::Close(_)) | Err(_) => return None,
                Ok(_) => {}
            }
        }
    }

    /// The code that the socket is closed with; earlier messages are skipped.
    pub fn close_code(&mut self) -> Option<u16> {
        loop {
            match self.0.read() {
                Ok(Message::Close(frame)) => return frame.map(|frame| frame.code.into()),
                Err(_) => return None,
                Ok(_) => {}
            }
        }
    }
}
