//! Runs the program; starts, queries and stops the service.

use std::io::{BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::sync::mpsc;
use std::time::{Duration, Instant};

use plybook_tests::http::Client;
use serde_json::{Value, json};

/// The program, with the games of `tests/example` in addition to its own; `PLYBOOK_PROGRAM` names another one
/// to test.
pub fn program() -> PathBuf {
    std::env::var_os("PLYBOOK_PROGRAM").unwrap_or_else(|| env!("CARGO_BIN_EXE_plybook-with-example").into()).into()
}

/// The result of running the program.
pub struct Ran {
    pub status: i32,
    pub out: String,
    pub err: String,
}

/// A command that is not affected by settings in the environment.
pub fn command(arguments: &[&str]) -> Command {
    let mut command = Command::new(program());
    command.args(arguments);
    let settings = [
        "DATA",
        "CONFIG",
        "LISTEN",
        "LOG",
        "METRICS_LISTEN",
        "TRUSTED_PROXY",
        "REQUEST_MEMORY_MIB",
        "VAULT_KEY_FILE",
        "ANALYSIS_WORKERS",
    ];
    for name in settings.map(|name| format!("PLYBOOK_{name}")) {
        command.env_remove(name);
    }
    command
}

pub fn run(arguments: &[&str]) -> Ran {
    Ran::of(&command(arguments).stdin(Stdio::null()).output().unwrap())
}

/// Runs the program with a limit on the size of files, in KiB, in place of a disk that is full: the system refuses what exceeds it.
pub fn run_with_room(kib: u32, arguments: &[&str]) -> Ran {
    let script = format!("trap '' XFSZ; ulimit -f {kib}; exec \"$0\" \"$@\"");
    Ran::of(&Command::new("bash").arg("-c").arg(script).arg(program()).args(arguments).output().unwrap())
}

/// Runs the program with text on standard input.
pub fn run_with(arguments: &[&str], input: &str) -> Ran {
    let mut child =
        command(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
    Ran::of(&child.wait_with_output().unwrap())
}

impl Ran {
    pub fn of(output: &Output) -> Self {
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        Self { status: output.status.code().unwrap_or(-1), out: text(&output.stdout), err: text(&output.stderr) }
    }

    #[track_caller]
    pub fn ok(self) -> String {
        assert_eq!(self.status, 0, "{}{}", self.out, self.err);
        self.out
    }

    /// What it prints to standard error, after ending with this status.
    #[track_caller]
    pub fn fails(self, status: i32) -> String {
        assert_eq!(self.status, status, "{}{}", self.out, self.err);
        assert!(!self.err.contains("panicked"), "{}", self.err);
        self.err
    }
}

/// A running service; killed when it is dropped.
pub struct Served {
    child: Child,
    data: PathBuf,
    address: String,
    /// What it has printed.
    pub said: String,
}

impl Served {
    pub fn start(data: &Path, more: &[&str]) -> Self {
        Self::start_with(data, more, |service| {
            service.stderr(Stdio::piped());
        })
    }

    /// Starts a service that logs everything it can into a file.
    pub fn start_logging(data: &Path, log: &Path) -> Self {
        Self::start_logging_with(data, log, &[])
    }

    pub fn start_logging_with(data: &Path, log: &Path, more: &[&str]) -> Self {
        Self::start_with(data, more, |service| {
            service.env("PLYBOOK_LOG", "trace").stderr(std::fs::File::create(log).unwrap());
        })
    }

    /// Starts a service by a command that `prepare` may change.
    pub fn start_with(data: &Path, more: &[&str], prepare: impl FnOnce(&mut Command)) -> Self {
        let mut arguments = vec!["serve"];
        for listens in ["--listen", "--metrics-listen"] {
            if !more.contains(&listens) {
                arguments.extend([listens, "127.0.0.1:0"]);
            }
        }
        arguments.extend(["--data", data.to_str().unwrap()]);
        arguments.extend(more);
        let mut service = command(&arguments);
        prepare(&mut service);
        let mut child = service.stdout(Stdio::piped()).spawn().unwrap();
        let err = child.stderr.take();
        let logged = std::thread::spawn(move || {
            let mut log = String::new();
            let _ = err.map(|mut err| err.read_to_string(&mut log));
            log
        });
        let mut out = BufReader::new(child.stdout.take().unwrap());
        let (tell, told) = mpsc::channel();
        std::thread::spawn(move || {
            let mut line = String::new();
            while out.read_line(&mut line).is_ok_and(|read| read > 0) {
                if tell.send(std::mem::take(&mut line)).is_err() {
                    return;
                }
            }
        });
        let mut said = String::new();
        loop {
            match told.recv_timeout(Duration::from_secs(240)) {
                Ok(line) => said += &line,
                Err(why) => {
                    let _ = child.kill();
                    let _ = child.wait();
                    panic!("the service did not start ({why}): {said}{}", logged.join().unwrap());
                }
            }
            if let Some(address) = said.lines().find_map(|line| line.strip_prefix("Plybook is at http://")) {
                let address = address.trim_end_matches('/').to_owned();
                return Self { child, data: data.to_owned(), address, said };
            }
        }
    }

    /// The admin token created by the first start.
    pub fn admin(&self) -> String {
        let token = std::fs::read_to_string(self.data.join("admin-token")).expect("a first start writes a token");
        token.trim().to_owned()
    }

    /// Sends an HTTP request: the status and the body; `None` if the service has gone away meanwhile.
    pub fn http(&self, method: &str, path: &str, token: Option<&str>, body: &str) -> Option<(u16, String)> {
        http_at(self.address(), method, path, token, body)
    }

    /// The address of the metrics.
    pub fn backstage(&self) -> &str {
        let line = self.said.lines().find_map(|line| line.strip_prefix("Metrics are at http://"));
        line.unwrap().strip_suffix("/metrics").unwrap()
    }

    /// Sends a GraphQL request: data and errors.
    pub fn ask(&self, token: Option<&str>, query: &str, variables: &Value) -> Option<Value> {
        let body = json!({ "query": query, "variables": variables }).to_string();
        let (_, body) = self.http("POST", "/graphql", token, &body)?;
        serde_json::from_str(&body).ok()
    }

    /// Sends a GraphQL request, which must be answered without errors.
    #[track_caller]
    pub fn get(&self, token: Option<&str>, query: &str, variables: &Value) -> Value {
        let answer = self.ask(token, query, variables).expect("the service answers");
        assert!(answer.get("errors").is_none(), "{answer}");
        answer["data"].clone()
    }

    /// Host and port.
    pub fn address(&self) -> &str {
        &self.address
    }

    /// The process id.
    pub fn pid(&self) -> u32 {
        self.child.id()
    }

    /// Sends a signal.
    pub fn signal(&self, name: &str) {
        assert!(Command::new("kill").args([name, &self.pid().to_string()]).status().unwrap().success());
    }

    /// Waits for its end, and returns the exit status; `None` if a signal killed it.
    pub fn wait(mut self, at_most: Duration) -> Option<i32> {
        let until = Instant::now() + at_most;
        loop {
            if let Some(status) = self.child.try_wait().unwrap() {
                return status.code();
            }
            assert!(Instant::now() < until, "the service does not end");
            std::thread::sleep(Duration::from_millis(20));
        }
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Sends an HTTP request to an address: the status and the body; `None` if the service has gone away
/// meanwhile.
pub fn http_at(address: &str, method: &str, path: &str, token: Option<&str>, body: &str) -> Option<(u16, String)> {
    let response = Client::connect(address).ok()?.send(method, path, token, body).ok()?;
    Some((response.status, String::from_utf8(response.body).unwrap()))
}

/// Fills a data directory with a few games of each kind, through the program itself.
pub fn fill(data: &Path) {
    let kinds = run(&["schema"]).ok();
    assert!(kinds.contains("type Query"));
    for (kind, actions) in games() {
        let text = data.with_extension("txt");
        let rules: Value = serde_json::from_str(&run(&["rules", kind]).ok()).unwrap();
        assert_eq!(rules["ply"], 0);
        let record = format!("[Kind \"{kind}\"]\n[Seat1 \"Ada\"]\n[Seat2 \"Bela\"]\n\n{actions}\n");
        std::fs::write(&text, record).unwrap();
        run(&["import", text.to_str().unwrap(), "--data", data.to_str().unwrap()]).ok();
        std::fs::remove_file(text).unwrap();
    }
}

/// Random games of kinds with two seats and a setup without random parts, made by the program itself.
pub fn games() -> Vec<(&'static str, String)> {
    let kinds = ["triangulate", "tri"];
    let game =
        |kind, seed: u32| (kind, run(&["random", kind, "--seed", &seed.to_string(), "--actions-max", "40"]).ok());
    kinds.into_iter().flat_map(|kind| (1..4).map(move |seed| game(kind, seed))).collect()
}
