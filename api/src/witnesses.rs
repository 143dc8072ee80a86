//! Asks witnesses to cosign the checkpoints of the transparency log.
//!
//! # Source
//! <https://c2sp.org/tlog-witness>

use std::io;
use std::str::FromStr;
use std::sync::{Arc, Weak};
use std::thread;
use std::time::{Duration, Instant};

use plybook_http::Metrics;
use plybook_service::Service;
use plybook_store::Published;
use plybook_tlog::{AddCheckpoint, Tree, WitnessKey};
use prometheus_client::encoding::EncodeLabelSet;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use url::Url;

use crate::fetch::{self, Answer, Bounds};

/// How long an answer may take, and how long it may be: a few lines.
const BOUNDS: Bounds = Bounds { time: Duration::from_secs(10), bytes: 64 << 10 };

/// The time between two requests to a witness that answers.
const INTERVAL: Duration = Duration::from_secs(1);

/// The longest time between two requests to one that does not.
const WAIT_MAX: Duration = Duration::from_secs(60);

/// How long a thread waits for a checkpoint before it looks whether the service has ended.
const PATIENCE: Duration = Duration::from_millis(200);

/// A witness, and where it is asked. As text: `<public key>=<URL>`.
#[derive(Clone, Debug)]
pub(crate) struct WitnessAddress {
    /// Its public key.
    pub(crate) key: WitnessKey,
    /// The address below which `add-checkpoint` is.
    url: Url,
}

plybook_events::from_text!(WitnessAddress);

impl FromStr for WitnessAddress {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        // A key is NAME+ID+KEY, and only its name may contain `=`.
        let key_at = text.match_indices('+').nth(1).map_or(0, |(at, _)| at);
        let end = text[key_at..].find('=').map(|at| key_at + at);
        let end = end.ok_or_else(|| format!("{text:?} is not a witness, which is written KEY=URL"))?;
        let key = text[..end].parse().map_err(|why| format!("{:?}: {why}", &text[..end]))?;
        let url: Url = text[end + 1..].parse().map_err(|why| format!("{:?}: {why}", &text[end + 1..]))?;
        if ["http", "https"].contains(&url.scheme()) {
            Ok(Self { key, url })
        } else {
            Err(format!("{url}: not an address that begins with http"))
        }
    }
}

#[derive(Clone, Debug, Hash, PartialEq, Eq, EncodeLabelSet)]
struct WitnessLabels {
    witness: String,
}

#[derive(Clone, Debug, Hash, PartialEq, Eq, EncodeLabelSet)]
struct AnswerLabels {
    witness: String,
    answer: &'static str,
}

/// What is counted of witnesses.
#[derive(Clone, Default)]
struct Counts {
    behind: Family<WitnessLabels, Gauge>,
    answers: Family<AnswerLabels, Counter>,
}

/// Why a witness has not cosigned a checkpoint.
enum Setback {
    /// It has cosigned another size than was thought.
    Elsewhere(u64),
    /// It does not answer, or not as a witness does.
    Failed(String),
    /// It will not cosign.
    Refused(String),
}

/// One witness, followed by a thread of its own, so that none waits for another.
struct Asker {
    witness: WitnessAddress,
    service: Weak<Service>,
    counts: Counts,
    /// The size of the tree that it has cosigned last, as far as is known.
    size: u64,
    /// The time until it is asked again after a failure; none if it answered last.
    wait: Option<Duration>,
}

/// Asks witnesses from now on, as long as the service exists.
///
/// # Errors
/// No thread can be started.
pub(crate) fn ask(witnesses: Vec<WitnessAddress>, service: &Arc<Service>, metrics: &Metrics) -> io::Result<()> {
    if witnesses.is_empty() || service.is_read_only() {
        return Ok(());
    }
    let counts = Counts::default();
    metrics.register(|registry| {
        let help = "Events that a witness has not cosigned yet";
        registry.register("witness_behind_events", help, counts.behind.clone());
        let help = "Requests to witnesses, by what came of them: cosigned, behind, refused, failed";
        registry.register("witness_requests", help, counts.answers.clone());
    });
    for witness in witnesses {
        let (service, counts) = (Arc::downgrade(service), counts.clone());
        let asker = Asker { witness, service, counts, size: 0, wait: None };
        thread::Builder::new().name("witness".to_owned()).spawn(move || asker.run())?;
    }
    Ok(())
}

impl Asker {
    fn run(mut self) {
        loop {
            let Some(service) = self.service.upgrade() else { return };
            let Ok(tlog) = service.tlog() else { return };
            let next = tlog.next_to_cosign(&self.witness.key, self.size, PATIENCE);
            let signed = tlog.signed().checkpoint.size;
            self.note_lag(signed);
            let Some(asked) = next else { continue };
            drop(service);
            let pause = match self.ask_for(&asked) {
                Ok(()) => self.note_success(asked.checkpoint.size),
                // It has told where to go on from. If that does not help, it has to wait.
                Err(Setback::Elsewhere(size)) if self.wait.is_none() && size <= signed => {
                    self.count("behind");
                    self.size = size;
                    self.wait = Some(Duration::ZERO);
                    Duration::ZERO
                }
                Err(setback) => self.note_setback(setback, &asked),
            };
            self.rest(pause);
        }
    }

    /// Waits, and goes on noting how far the witness is behind.
    fn rest(&self, pause: Duration) {
        let until = Instant::now() + pause;
        loop {
            let Some(service) = self.service.upgrade() else { return };
            let Ok(tlog) = service.tlog() else { return };
            self.note_lag(tlog.signed().checkpoint.size);
            drop(service);
            match until.checked_duration_since(Instant::now()) {
                Some(left) if !left.is_zero() => thread::sleep(left.min(INTERVAL)),
                _ => return,
            }
        }
    }

    fn note_lag(&self, signed: u64) {
        let behind = i64::try_from(signed.saturating_sub(self.size)).unwrap_or(i64::MAX);
        self.counts.behind.get_or_create(&WitnessLabels { witness: self.name() }).set(behind);
    }

    fn name(&self) -> String {
        self.witness.key.name().to_owned()
    }

    /// Asks for one cosignature.
    fn ask_for(&self, asked: &Published) -> Result<(), Setback> {
        let gone = || Setback::Failed("the service ends".to_owned());
        let request = {
            let service = self.service.upgrade().ok_or_else(gone)?;
            let tlog = service.tlog().map_err(|_| gone())?;
            let proof = match self.size {
                0 => Ok(Vec::new()),
                size => Tree::new(&tlog.tiles(service.log()), asked.checkpoint.size).consistency(size),
            };
            let proof = proof.map_err(|why| Setback::Failed(format!("no proof can be made: {why}")))?;
            AddCheckpoint { old_size: self.size, proof, note: asked.note.clone() }.to_string()
        };
        let Answer { status, body } = fetch::post(&fetch::below(&self.witness.url, "add-checkpoint"), &request, BOUNDS)
            .map_err(Setback::Failed)?;
        let body = String::from_utf8_lossy(&body);
        match status {
            200 => {
                let service = self.service.upgrade().ok_or_else(gone)?;
                let tlog = service.tlog().map_err(|_| gone())?;
                let cosigned = tlog.cosign(asked, &self.witness.key, &body);
                cosigned.map(drop).map_err(|why| Setback::Failed(format!("its answer is not a cosignature: {why}")))
            }
            409 => match body.trim_end().parse() {
                Ok(size) if size != self.size => Err(Setback::Elsewhere(size)),
                _ => Err(Setback::Failed("it names no other size, and has a conflict".to_owned())),
            },
            404 => Err(Setback::Refused("it does not follow this log: its owner has to name the key".to_owned())),
            403 => Err(Setback::Refused("it does not know the key of this log: its owner has to name it".to_owned())),
            422 => Err(Setback::Refused("it has cosigned a history that this one does not go on from".to_owned())),
            status => Err(Setback::Failed(format!("it answered with status {status}"))),
        }
    }

    fn count(&self, answer: &'static str) {
        self.counts.answers.get_or_create(&AnswerLabels { witness: self.name(), answer }).inc();
    }

    /// Notes that it has cosigned; returns how long to wait.
    fn note_success(&mut self, size: u64) -> Duration {
        self.count("cosigned");
        self.size = size;
        if self.wait.take().is_some_and(|wait| !wait.is_zero()) {
            tracing::info!(witness = self.witness.key.name(), size, "the witness cosigns again");
        }
        INTERVAL
    }

    /// Notes that it has not cosigned; returns how long to wait.
    fn note_setback(&mut self, setback: Setback, asked: &Published) -> Duration {
        let before = self.wait.unwrap_or_default();
        let is_first = before.is_zero();
        let wait = (before * 2).clamp(INTERVAL, WAIT_MAX);
        self.wait = Some(wait);
        let (answer, why) = match setback {
            Setback::Refused(why) => ("refused", why),
            Setback::Failed(why) => ("failed", why),
            Setback::Elsewhere(size) => ("failed", format!("it says that it has cosigned {size} events")),
        };
        self.count(answer);
        let (witness, size) = (self.witness.key.name(), asked.checkpoint.size);
        match answer {
            "refused" if is_first => tracing::error!(witness, size, why, "a witness refuses to cosign"),
            _ if is_first => tracing::warn!(witness, size, why, "a witness does not cosign"),
            _ => tracing::debug!(witness, size, why, "a witness still does not cosign"),
        }
        wait
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_witness_is_named_with_its_address() {
        let key = "witness.example.net/w=1+6e6a4f2b+BAEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEB";
        let why = format!("{key}=https://w.example.net/a?b=c").parse::<WitnessAddress>().unwrap_err();
        assert!(why.contains("the id in the key"), "the whole key was read: {why}");
        for (text, what) in [
            ("", "KEY=URL"),
            ("https://w.example.net", "KEY=URL"),
            ("a+b+c=https://w.example.net", "NAME+ID+KEY"),
            ("a+b+c", "KEY=URL"),
        ] {
            let why = text.parse::<WitnessAddress>().unwrap_err();
            assert!(why.contains(what), "{text}: {why}");
        }
    }
}
