//! Requests to other servers, made with `curl`: a client for HTTPS would be a tenth of this program.

use std::io::Write;
use std::process::{Command, Stdio};

use url::Url;

/// What another server answered.
pub(crate) struct Answer {
    /// The status of HTTP.
    pub(crate) status: u16,
    /// The body.
    pub(crate) body: Vec<u8>,
}

/// How long an answer may take, in seconds, and how many bytes it may have.
#[derive(Clone, Copy)]
pub(crate) struct Bounds {
    pub(crate) time_s: u64,
    pub(crate) bytes: u64,
}

/// Fetches what is at an address.
///
/// # Errors
/// There is no answer, with the reason in words; redirects are answers.
pub(crate) fn get(url: &Url, bounds: Bounds) -> Result<Answer, String> {
    send(&mut Command::new("curl"), url, bounds, None)
}

/// Posts text to an address.
///
/// # Errors
/// There is no answer, with the reason in words; redirects are answers.
pub(crate) fn post(url: &Url, text: &str, bounds: Bounds) -> Result<Answer, String> {
    let mut curl = Command::new("curl");
    // Settings of the user come first, unless told otherwise.
    curl.args(["--disable", "--data-binary", "@-", "--header", "Content-Type: text/plain", "--header", "Expect:"]);
    send(&mut curl, url, bounds, Some(text))
}

fn send(curl: &mut Command, url: &Url, bounds: Bounds, text: Option<&str>) -> Result<Answer, String> {
    let mut child = curl
        .args(["--silent", "--show-error", "--proto", "=http,https"])
        .args(["--max-time", &bounds.time_s.to_string(), "--max-filesize", &bounds.bytes.to_string()])
        .args(["--write-out", "\n%{http_code}", "--url", url.as_str()])
        .stdin(if text.is_some() { Stdio::piped() } else { Stdio::null() })
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(|why| format!("curl: {why}: it has to be installed"))?;
    if let (Some(mut input), Some(text)) = (child.stdin.take(), text) {
        // It reads all of it before it connects. If it has ended, its message says why.
        let _ = input.write_all(text.as_bytes());
    }
    let done = child.wait_with_output().map_err(|why| format!("curl: {why}"))?;
    let trouble = || format!("{url}: {}", String::from_utf8_lossy(&done.stderr).trim());
    if !done.status.success() {
        return Err(trouble());
    }
    let end = done.stdout.iter().rposition(|b| *b == b'\n').ok_or_else(trouble)?;
    let status = std::str::from_utf8(&done.stdout[end + 1..]).ok().and_then(|status| status.parse().ok());
    Ok(Answer { status: status.ok_or_else(trouble)?, body: done.stdout[..end].to_vec() })
}

/// The address of something below another address.
pub(crate) fn below(url: &Url, path: &str) -> Url {
    let mut url = url.clone();
    url.set_query(None);
    url.set_fragment(None);
    let before = url.path().trim_end_matches('/').to_owned();
    url.set_path(&format!("{before}/{path}"));
    url
}
