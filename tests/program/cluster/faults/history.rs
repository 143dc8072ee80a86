//! Whether what clients were told of a log is linearizable, by the checker of `todc-utils`, which searches for an order of the
//! requests as Wing, Gong and Lowe do: a log is a register that holds the hash of its head, an append compares and sets it.

use std::time::Instant;

use plybook_events::Hash;
use todc_utils::linearizability::WGLChecker;
use todc_utils::linearizability::history::{Action, History};
use todc_utils::specifications::Specification;

/// A request, and what it was told.
#[derive(Clone, Debug)]
pub struct Request {
    pub begun: Instant,
    /// `None` if nobody knows when it was carried out, which may have been at any time since.
    pub answered: Option<Instant>,
    pub operation: Operation,
}

/// What was done with a log; `None` stands for a log that is not there.
#[derive(Clone, Debug)]
pub enum Operation {
    /// The head was shown.
    Shown(Hash),
    /// Events were appended, which the client had decided on before this head.
    Appended { before: Option<Hash>, after: Hash },
    /// Nothing was written, because the head was another one.
    Refused { before: Option<Hash> },
}

/// A log.
struct Head;

impl Specification for Head {
    type State = Option<Hash>;
    type Operation = Operation;

    fn init() -> Self::State {
        None
    }

    fn apply(operation: &Operation, head: &Self::State) -> (bool, Self::State) {
        match operation {
            Operation::Shown(shown) => (*head == Some(*shown), *head),
            Operation::Appended { before, after } => (head == before, Some(*after)),
            Operation::Refused { before } => (head != before, *head),
        }
    }
}

/// Whether there is an order of the requests to one log in which each was told the truth.
pub fn is_linearizable(requests: &[Request]) -> bool {
    let mut times = Vec::new();
    for (n, request) in requests.iter().enumerate() {
        times.push((Some(request.begun), n, Action::Call(request.operation.clone())));
        times.push((request.answered, n, Action::Response(request.operation.clone())));
    }
    times.sort_by_key(|(at, ..)| (at.is_none(), *at));
    let actions: Vec<_> = times.into_iter().map(|(_, n, action)| (n, action)).collect();
    actions.is_empty() || WGLChecker::<Head>::is_linearizable(History::from_actions(actions))
}

/// Requests at these milliseconds.
#[cfg(test)]
fn requests(all: &[(u64, Option<u64>, Operation)]) -> Vec<Request> {
    let start = Instant::now();
    let at = |millis| start + std::time::Duration::from_millis(millis);
    let request = |(begun, answered, operation): &(u64, Option<u64>, Operation)| Request {
        begun: at(*begun),
        answered: answered.map(at),
        operation: operation.clone(),
    };
    all.iter().map(request).collect()
}

#[test]
fn the_checker_accepts_what_a_log_does_and_nothing_else() {
    let [a, b, c] = [1, 2, 3].map(|n| Hash([n; 32]));
    let append = |before, after| Operation::Appended { before, after };
    let (create, second) = ((0, Some(10), append(None, a)), (20, Some(40), append(Some(a), b)));
    let is_right = |more: &[(u64, Option<u64>, Operation)]| {
        is_linearizable(&requests(&[&[create.clone(), second.clone()], more].concat()))
    };
    // While an append is under way, its event may be shown or not; of two that follow the same head, one is refused.
    assert!(is_right(&[(30, Some(35), Operation::Shown(a)), (36, Some(38), Operation::Shown(b))]));
    assert!(is_right(&[(25, Some(45), Operation::Refused { before: Some(a) })]));
    // What nobody knows of may be carried out late.
    assert!(is_right(&[(50, None, append(Some(b), c)), (60, Some(70), Operation::Shown(b))]));
    assert!(is_right(&[(50, None, append(Some(b), c)), (60, Some(70), Operation::Shown(c))]));
    // An old head that is shown, one that is shown and gone again, a lost event, one that is there twice, and a refusal
    // without a reason.
    assert!(!is_right(&[(50, Some(60), Operation::Shown(a))]));
    assert!(!is_right(&[(25, Some(30), Operation::Shown(b)), (31, Some(35), Operation::Shown(a))]));
    assert!(!is_right(&[(50, Some(60), append(Some(a), c))]));
    assert!(!is_right(&[(50, Some(60), append(Some(b), c)), (70, Some(80), append(Some(b), c))]));
    assert!(!is_right(&[(50, Some(60), Operation::Refused { before: Some(b) })]));
}
