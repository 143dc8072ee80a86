//! `tests/python/verify.py` as one process that judges one log after another.

use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use plybook_events::{Hash, LogId};

/// A verifier that runs.
pub(super) struct Judge {
    child: Child,
    asked: Option<ChildStdin>,
    answers: BufReader<ChildStdout>,
}

impl Judge {
    /// Starts `python/judge.py`, which may look up these logs.
    pub(super) fn start(program: &str, script: &str, known: &[PathBuf]) -> Self {
        let script = Path::new(env!("CARGO_MANIFEST_DIR")).join(script);
        let mut command = Command::new(program);
        command.arg(script).args(known).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.spawn().unwrap_or_else(|why| panic!("{program}: {why}: it has to be installed"));
        let asked = child.stdin.take();
        let answers = BufReader::new(child.stdout.take().expect("it is piped"));
        Self { child, asked, answers }
    }

    /// Its finding about a log, which begins with `ok` or `bad`; `head` is the hash that the log has to end in.
    pub(super) fn finding(&mut self, log: LogId, text: &[u8], head: Option<Hash>) -> String {
        let count = text.iter().filter(|byte| **byte == b'\n').count();
        let head = head.map_or_else(|| "-".to_owned(), |head| head.to_string());
        let mut whole = format!("{log} {count} {head}\n").into_bytes();
        whole.extend_from_slice(text);
        self.asked.as_mut().expect("it runs").write_all(&whole).expect("it reads");
        let mut answer = String::new();
        self.answers.read_line(&mut answer).expect("it answers in UTF-8");
        assert!(answer.starts_with("ok ") || answer.starts_with("bad "), "{answer:?}");
        answer
    }

    /// Whether it finds nothing wrong.
    pub(super) fn accepts(&mut self, log: LogId, text: &[u8], head: Option<Hash>) -> bool {
        self.finding(log, text, head).starts_with("ok ")
    }
}

impl Drop for Judge {
    fn drop(&mut self) {
        drop(self.asked.take());
        let _ = self.child.wait();
    }
}
