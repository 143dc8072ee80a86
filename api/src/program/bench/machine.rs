//! Facts about the machine and this process.

use std::fs;
use std::path::Path;

use serde_json::{Value, json};

/// The facts to publish with every figure.
pub(super) fn facts() -> Value {
    json!({
        "processor": line_of("/proc/cpuinfo", "model name").unwrap_or_else(|| std::env::consts::ARCH.to_owned()),
        "cores": rayon::current_num_threads(),
        "memoryMib": kib_of("/proc/meminfo", "MemTotal").map(|kib| kib / 1024),
        "kernel": fs::read_to_string("/proc/sys/kernel/osrelease").map(|text| text.trim().to_owned()).ok(),
        "loadAverage": load_average(),
        "plybook": env!("CARGO_PKG_VERSION"),
        "build": if cfg!(debug_assertions) { "debug: slow" } else { "release" },
        "date": plybook_service::clock::now(),
    })
}

/// The load average of the last minute. Other processes slow the measurements down.
pub(super) fn load_average() -> Option<f64> {
    let text = fs::read_to_string("/proc/loadavg").ok()?;
    text.split(' ').next()?.parse().ok()
}

/// The current and peak resident memory of this process in bytes; `None` where the system does not report it.
pub(super) fn resident() -> (Option<u64>, Option<u64>) {
    let of = |name| kib_of("/proc/self/status", name).map(|kib| kib * 1024);
    (of("VmRSS"), of("VmHWM"))
}

/// The total size in bytes of all files in a directory.
pub(super) fn bytes_in(dir: &Path) -> u64 {
    let Ok(entries) = fs::read_dir(dir) else { return 0 };
    let sizes = entries.flatten().map(|entry| match entry.metadata() {
        Ok(found) if found.is_dir() => bytes_in(&entry.path()),
        Ok(found) => found.len(),
        Err(_) => 0,
    });
    sizes.sum()
}

fn kib_of(file: &str, name: &str) -> Option<u64> {
    line_of(file, name)?.strip_suffix(" kB")?.trim().parse().ok()
}

/// The text after a name and a colon in one of the system's status files.
fn line_of(file: &str, name: &str) -> Option<String> {
    let text = fs::read_to_string(file).ok()?;
    let lines = text.lines().filter_map(|line| line.split_once(':'));
    lines.into_iter().find(|(found, _)| found.trim() == name).map(|(_, value)| value.trim().to_owned())
}
