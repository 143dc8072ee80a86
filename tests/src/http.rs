//! A minimal HTTP client: one connection, one request at a time, and next to no overhead.

use std::fmt::Display;
use std::io::{self, BufRead, BufReader, Error, Read, Write};
use std::net::{SocketAddr, TcpStream, ToSocketAddrs};
use std::time::Duration;

/// How long an answer may take.
const PATIENCE: Duration = Duration::from_secs(120);

/// GraphQL with statuses of HTTP for refusals, and everything else as it is.
const ACCEPT: &str = "application/graphql-response+json, */*";

/// A connection that is kept open.
pub struct Client {
    stream: BufReader<TcpStream>,
    host: String,
}

/// A response.
pub struct Response {
    pub status: u16,
    /// The header `Retry-After`, in seconds.
    pub retry_after_s: Option<u64>,
    /// The header `Plybook-Position`: the number of events that the service had.
    pub position: Option<u64>,
    /// Whether the server closes the connection after it, as proxies do now and then.
    pub is_last: bool,
    pub body: Vec<u8>,
}

impl Client {
    /// Connects to a server.
    ///
    /// # Errors
    /// The server does not listen.
    pub fn connect(address: impl ToSocketAddrs + Display) -> io::Result<Self> {
        Self::over(TcpStream::connect(&address)?, address.to_string(), PATIENCE)
    }

    /// Connects to a server, which has to answer everything within a time.
    ///
    /// # Errors
    /// The server does not listen, or does not answer in time.
    pub fn connect_within(patience: Duration, address: SocketAddr) -> io::Result<Self> {
        Self::over(TcpStream::connect_timeout(&address, patience)?, address.to_string(), patience)
    }

    fn over(stream: TcpStream, host: String, patience: Duration) -> io::Result<Self> {
        stream.set_nodelay(true)?;
        stream.set_read_timeout(Some(patience))?;
        stream.set_write_timeout(Some(patience))?;
        Ok(Self { stream: BufReader::new(stream), host })
    }

    /// Sends a request, with a body of JSON if it is not empty, and reads the whole response.
    ///
    /// # Errors
    /// The connection ends before the response does, or the response is not HTTP.
    pub fn send(&mut self, method: &str, path: &str, token: Option<&str>, body: &str) -> io::Result<Response> {
        self.send_after(0, method, path, token, body)
    }

    /// Like [`send`](Self::send), but the service answers only once it has so many events.
    ///
    /// # Errors
    /// As for [`send`](Self::send).
    pub fn send_after(
        &mut self,
        position: u64,
        method: &str,
        path: &str,
        token: Option<&str>,
        body: &str,
    ) -> io::Result<Response> {
        let token = token.map(|token| format!("authorization: Bearer {token}\r\n")).unwrap_or_default();
        let request = format!(
            "{method} {path} HTTP/1.1\r\nhost: {}\r\naccept: {ACCEPT}\r\ncontent-type: application/json\r\n\
             plybook-min-position: {position}\r\n{token}content-length: {}\r\n\r\n{body}",
            self.host,
            body.len()
        );
        self.stream.get_mut().write_all(request.as_bytes())?;
        self.receive()
    }

    fn receive(&mut self) -> io::Result<Response> {
        let line = self.line()?;
        let status = line.split(' ').nth(1).and_then(|status| status.parse().ok()).ok_or_else(malformed)?;
        let mut response = Response { status, retry_after_s: None, position: None, is_last: false, body: Vec::new() };
        let mut length = None;
        loop {
            let header = self.line()?.to_ascii_lowercase();
            match header.split_once(": ") {
                Some(("content-length", value)) => length = value.parse().ok(),
                Some(("connection", value)) => response.is_last = value == "close",
                Some(("plybook-position", value)) => response.position = value.parse().ok(),
                Some(("retry-after", value)) => response.retry_after_s = value.parse().ok(),
                Some(_) => {}
                None => break,
            }
        }
        match length {
            Some(length) => self.read_into(&mut response.body, length)?,
            None => while self.chunk(&mut response.body)? {},
        }
        Ok(response)
    }

    /// Reads a chunk of a body; `false` after the last one.
    fn chunk(&mut self, body: &mut Vec<u8>) -> io::Result<bool> {
        let length = usize::from_str_radix(&self.line()?, 16).map_err(|_| malformed())?;
        self.read_into(body, length)?;
        self.line()?;
        Ok(length > 0)
    }

    fn read_into(&mut self, body: &mut Vec<u8>, length: usize) -> io::Result<()> {
        let start = body.len();
        body.resize(start + length, 0);
        self.stream.read_exact(&mut body[start..])
    }

    /// A line without its end.
    fn line(&mut self) -> io::Result<String> {
        let mut line = String::new();
        if self.stream.read_line(&mut line)? == 0 {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        line.truncate(line.trim_end().len());
        Ok(line)
    }
}

fn malformed() -> Error {
    Error::new(io::ErrorKind::InvalidData, "the response is not HTTP")
}
