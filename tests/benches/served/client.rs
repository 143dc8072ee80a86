//! A minimal HTTP client: one connection, one request at a time, and next to no overhead.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpStream};

/// A connection that is kept open.
pub struct Client {
    stream: BufReader<TcpStream>,
    addr: SocketAddr,
}

impl Client {
    /// A connection to a server.
    pub fn connect(addr: SocketAddr) -> Self {
        let stream = TcpStream::connect(addr).expect("the server listens");
        stream.set_nodelay(true).expect("it is a TCP connection");
        Self { stream: BufReader::new(stream), addr }
    }

    /// Posts JSON and returns the body of the answer, whose status must be 200.
    pub fn post(&mut self, path: &str, token: Option<&str>, body: &str) -> Vec<u8> {
        let token = token.map(|token| format!("authorization: Bearer {token}\r\n")).unwrap_or_default();
        let request = format!(
            "POST {path} HTTP/1.1\r\nhost: {}\r\ncontent-type: application/json\r\n{token}content-length: {}\r\n\r\n{body}",
            self.addr,
            body.len()
        );
        self.stream.get_mut().write_all(request.as_bytes()).expect("the server reads");
        let mut line = String::new();
        let mut next = |stream: &mut BufReader<TcpStream>| {
            line.clear();
            stream.read_line(&mut line).expect("the server answers");
            line.trim_end().to_ascii_lowercase()
        };
        assert_eq!(next(&mut self.stream), "http/1.1 200 ok", "{body}");
        let mut len = 0;
        loop {
            let header = next(&mut self.stream);
            if header.is_empty() {
                break;
            }
            if let Some(value) = header.strip_prefix("content-length: ") {
                len = value.parse().expect("it is a length");
            }
        }
        let mut body = vec![0; len];
        self.stream.read_exact(&mut body).expect("the server answers");
        body
    }
}
