//! Plain UCT with random playouts to the end of the game: the usual yardstick, which knows nothing but the rules
//! (Kocsis and Szepesvári, *Bandit based Monte-Carlo Planning*, 2006).

use plybook_events::Actor;
use plybook_generator::numbers::Numbers;
use plybook_rules::AnyPosition;

use crate::matches::share;

/// How much is tried that looks bad, for rewards from 0 to 1.
const EXPLORATION: f64 = std::f64::consts::SQRT_2;

/// A playout that is not over after this many actions is a draw.
const ACTIONS_MAX: usize = 5_000;

/// What an actor can do in a position, and what came of it.
struct Node {
    /// The action that leads here, and who took it.
    action: String,
    actor: Actor,
    /// The numbers of the nodes after this one; empty until something is done there.
    next: Vec<usize>,
    visits: u32,
    /// The shares of the win of whoever acted, added up.
    total: f64,
}

impl Node {
    fn new(actor: Actor, action: String) -> Self {
        Self { action, actor, next: Vec::new(), visits: 0, total: 0.0 }
    }

    /// The upper confidence bound of a node that was visited, by the visits of the one before it.
    fn bound(&self, visits: u32) -> f64 {
        let own = f64::from(self.visits);
        self.total / own + EXPLORATION * (f64::from(visits).ln() / own).sqrt()
    }
}

/// The action that most of the playouts went through; `None` where actions cannot be listed, or several seats act at
/// the same time.
pub(crate) fn choose(root: &dyn AnyPosition, actor: Actor, playouts: u32, numbers: &mut Numbers) -> Option<String> {
    if root.to_act().len() > 1 {
        return None;
    }
    root.legal(actor)?;
    let mut nodes = vec![Node::new(actor, String::new())];
    for _ in 0..playouts {
        playout(root.boxed(), &mut nodes, numbers);
    }
    let best = nodes[0].next.iter().max_by_key(|next| nodes[**next].visits)?;
    Some(nodes[*best].action.clone())
}

/// Walks down the tree, adds a node, plays on at random, and counts the result.
fn playout(mut position: Box<dyn AnyPosition>, nodes: &mut Vec<Node>, numbers: &mut Numbers) {
    let mut path = vec![0];
    let mut at = 0;
    while let Some(next) = descend(position.as_ref(), at, nodes, numbers) {
        position.act(nodes[next].actor, &nodes[next].action).expect("it is legal");
        path.push(next);
        at = next;
        if nodes[next].visits == 0 {
            break;
        }
    }
    for _ in 0..ACTIONS_MAX {
        let Some(actor) = position.to_act().iter().next() else { break };
        let action = position.sample(actor, &mut |n| numbers.below(n));
        position.act(actor, &action).expect("it is legal");
    }
    for number in path {
        let node = &mut nodes[number];
        node.visits += 1;
        if let Actor::Seat(seat) = node.actor {
            node.total += share(position.as_ref(), seat);
        }
    }
}

/// The node to go on with; `None` at the end of the game and where the tree ends.
fn descend(position: &dyn AnyPosition, at: usize, nodes: &mut Vec<Node>, numbers: &mut Numbers) -> Option<usize> {
    let mut to_act = position.to_act().iter();
    let actor = to_act.next().filter(|_| to_act.next().is_none())?;
    if actor == Actor::Chance {
        let action = position.sample(actor, &mut |n| numbers.below(n));
        let known = nodes[at].next.iter().copied().find(|next| nodes[*next].action == action);
        return Some(known.unwrap_or_else(|| add(nodes, at, Node::new(actor, action))));
    }
    if nodes[at].next.is_empty() {
        for action in position.legal(actor)? {
            add(nodes, at, Node::new(actor, action));
        }
    }
    let untried: Vec<usize> = nodes[at].next.iter().copied().filter(|next| nodes[*next].visits == 0).collect();
    if !untried.is_empty() {
        return Some(untried[numbers.below(untried.len() as u32) as usize]);
    }
    let visits = nodes[at].visits;
    let bound = |next: &usize| nodes[*next].bound(visits);
    nodes[at].next.iter().copied().max_by(|a, b| bound(a).total_cmp(&bound(b)))
}

fn add(nodes: &mut Vec<Node>, at: usize, node: Node) -> usize {
    nodes.push(node);
    let number = nodes.len() - 1;
    nodes[at].next.push(number);
    number
}

#[cfg(test)]
mod tests {
    use plybook_events::Actor;
    use serde_json::json;

    use plybook_generator::numbers::Numbers;

    use super::choose;

    #[test]
    fn the_end_of_a_game_is_found() {
        let rules = plybook_rules::kind("triangulate").unwrap();
        let numbers = &mut Numbers::new(1, "uct", 0);
        let mut position = rules.start(&rules.complete(&json!({}), &mut |n| numbers.below(n)).unwrap()).unwrap();
        let mut before = position.boxed();
        while let Some(actor) = position.to_act().iter().next() {
            before = position.boxed();
            let action = position.sample(actor, &mut |n| numbers.below(n));
            position.act(actor, &action).unwrap();
        }
        let winners = position.outcome().unwrap().winners;
        let actor = Actor::Seat(winners[0]);
        assert_eq!((winners.len(), before.to_act().contains(actor)), (1, true), "the winner acted last");
        let action = choose(before.as_ref(), actor, 2_000, numbers).unwrap();
        before.act(actor, &action).unwrap();
        assert_eq!(before.outcome().unwrap().winners, winners);
        assert_eq!(choose(before.as_ref(), actor, 10, numbers), None, "nobody is to act");
    }
}
