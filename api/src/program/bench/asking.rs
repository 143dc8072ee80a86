//! Asks a service GraphQL queries and times the answers.

use std::thread;
use std::time::{Duration, Instant};

use async_graphql::{Request, Variables};
use plybook_schema::Schema;
use rustix::time::{ClockId, clock_gettime};
use serde_json::Value;
use tokio::runtime::Runtime;

use super::super::Failure;
use super::questions::Question;
use super::report::Times;

/// How many queries are asked before timing starts.
const WARM_UP: usize = 20;

/// How often to look whether the process rests, and when to stop waiting for that.
const LOOKED_EVERY: Duration = Duration::from_millis(500);
const REST_PATIENCE: Duration = Duration::from_secs(600);

/// How many games are on a page.
const PAGE: u64 = 25;

/// Asks queries.
pub(super) struct Asker {
    schema: Schema,
    runtime: Runtime,
}

impl Asker {
    pub(super) fn new(schema: Schema) -> Result<Self, Failure> {
        Ok(Self { schema, runtime: Runtime::new().map_err(Failure::trouble)? })
    }

    /// Asks this many questions one after another, and checks each answer.
    pub(super) fn ask(
        &self,
        what: &str,
        times: usize,
        mut question: impl FnMut() -> Result<Question, Failure>,
    ) -> Result<Times, Failure> {
        let (mut took, mut waited, mut bytes) = (Vec::with_capacity(times), Vec::with_capacity(times), 0);
        let progress = super::super::data::bar("questions", times as u64);
        for n in 0..times + WARM_UP {
            let question = question()?;
            let (begun, begun_on_cores) = (Instant::now(), on_cores());
            let answer = self.answer(question.query, question.variables.clone());
            let (elapsed, worked) = (begun.elapsed(), on_cores().saturating_sub(begun_on_cores));
            question.check(&answer).map_err(|why| Failure::refused(format!("{what}: {why}")))?;
            if n >= WARM_UP {
                took.push(worked);
                waited.push(elapsed);
                bytes += answer.len();
                progress.inc(1);
            }
        }
        progress.finish_and_clear();
        took.sort_unstable();
        waited.sort_unstable();
        let at = |times: &[Duration], percent: usize| millis(times[(times.len() * percent).div_ceil(100).max(1) - 1]);
        Ok(Times {
            what: what.to_owned(),
            asked: times,
            bytes: bytes / times,
            p50: at(&took, 50),
            p99: at(&took, 99),
            max: at(&took, 100),
            waited_p50: at(&waited, 50),
            waited_p99: at(&waited, 99),
        })
    }

    /// Goes from the text of a query to the bytes of the answer.
    fn answer(&self, query: &str, variables: Value) -> Vec<u8> {
        let request = Request::new(query).variables(Variables::from_json(variables));
        let response = self.runtime.block_on(self.schema.execute(request));
        serde_json::to_vec(&response).expect("an answer is JSON")
    }
}

impl Question {
    fn check(&self, answer: &[u8]) -> Result<(), String> {
        let answer: Value = serde_json::from_slice(answer).map_err(|why| why.to_string())?;
        if let Some(errors) = answer.get("errors") {
            return Err(format!("{} is answered with {errors}", self.variables));
        }
        let data = &answer["data"];
        for (pointer, expected) in &self.expected {
            if data.pointer(pointer) != Some(expected) {
                return Err(format!("{}: {pointer} is not {expected} in {data}", self.variables));
            }
        }
        let found = data.pointer("/explore/games").or_else(|| data.pointer("/statistics/games"));
        if self.has_games && found.and_then(Value::as_u64).unwrap_or(0) == 0 {
            return Err(format!("{}: no game was found, and there is one", self.variables));
        }
        if let Some(total) = data.pointer("/games/totalCount").and_then(Value::as_u64) {
            let listed = data["games"]["nodes"].as_array().map_or(0, Vec::len) as u64;
            if listed != total.min(PAGE) {
                return Err(format!("{}: {listed} games are listed of {total}", self.variables));
            }
        }
        Ok(())
    }
}

/// Waits until this process does hardly anything by itself, since that would count as time that questions take.
pub(super) fn await_rest() {
    let begun = Instant::now();
    loop {
        let before = on_cores();
        thread::sleep(LOOKED_EVERY);
        if on_cores().saturating_sub(before) < LOOKED_EVERY / 50 || begun.elapsed() > REST_PATIENCE {
            return;
        }
    }
}

/// The CPU time that all threads of this process have used so far.
fn on_cores() -> Duration {
    let time = clock_gettime(ClockId::ProcessCPUTime);
    Duration::new(time.tv_sec.unsigned_abs(), time.tv_nsec as u32)
}

fn millis(time: Duration) -> f64 {
    time.as_secs_f64() * 1e3
}
