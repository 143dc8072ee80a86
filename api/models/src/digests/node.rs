//! What a run says of a position, in bytes.
//!
//! Of a few visits, everything: the words in order, each with the numbers of the games that played it. Of many visits, the *head*
//! has the sums for all games and for each word, and the newest games; the *sets*, under a key of their own, have the
//! games of each. So only who chooses among the games reads as many bytes as there are games.
//!
//! ```text
//! head   0, number of words; of each: word, number of games, and the games in order, as differences
//!        1, sums of all, number of newest games, those in descending order, as differences,
//!           number of words; of each: word, sums
//! sets   of all and of each word: length, Roaring bitmap
//! ```
//!
//! A word comes after its length; sums are the number of games, the number of seats with wins, their wins, draws, others, and when
//! the last game was played. Numbers have seven bits a byte, the low ones first.

use std::collections::BTreeMap;

use plybook_store::{Numbers, push_number, signed, unsigned};
use roaring::RoaringBitmap;

use super::tally::{Counted, NEWEST, Totals};
use crate::results::Results;

const FEW: u8 = 0;
const MANY: u8 = 1;

/// The head of a position.
pub(super) enum Head<'b> {
    /// Words with the numbers of games.
    Few(Vec<(&'b str, u32)>),
    Many(Sums<'b>),
}

/// The sums of many games.
pub(super) struct Sums<'b> {
    pub all: Totals,
    /// The newest of them, by number, the newest first.
    pub newest: Vec<u32>,
    /// By word.
    pub actions: Vec<(&'b str, Totals)>,
}

/// Games by word.
pub(super) type Sets = BTreeMap<Box<str>, RoaringBitmap>;

/// The head of a few visits.
pub(super) fn few(mut visits: Vec<(&str, u32)>) -> Vec<u8> {
    visits.sort_unstable();
    let by_word = || visits.chunk_by(|(one, _), (other, _)| one == other);
    let mut bytes = vec![FEW];
    push_number(&mut bytes, by_word().count() as u64);
    for chunk in by_word() {
        push_word(&mut bytes, chunk[0].0);
        push_number(&mut bytes, chunk.len() as u64);
        let mut before = 0;
        for (_, number) in chunk {
            push_number(&mut bytes, u64::from(number - before));
            before = *number;
        }
    }
    bytes
}

/// The head and the sets of many visits. `counted` says how games are counted.
pub(super) fn many(actions: &Sets, counted: impl Fn(u32) -> Counted) -> (Vec<u8>, Vec<u8>) {
    let all = actions.values().fold(RoaringBitmap::new(), |all, games| all | games);
    let mut head = vec![MANY];
    push_totals(&mut head, &Totals::of(&all, &counted));
    push_number(&mut head, all.len().min(NEWEST as u64));
    let mut before = u32::MAX;
    for number in all.iter().rev().take(NEWEST) {
        push_number(&mut head, u64::from(before - number));
        before = number;
    }
    push_number(&mut head, actions.len() as u64);
    let mut sets = Vec::new();
    push_set(&mut sets, all);
    for (word, games) in actions {
        push_word(&mut head, word);
        push_totals(&mut head, &Totals::of(games, &counted));
        push_set(&mut sets, games.clone());
    }
    (head, sets)
}

/// Reads a head; `None` if it is none.
pub(super) fn read_head(bytes: &[u8]) -> Option<Head<'_>> {
    let (form, rest) = bytes.split_first()?;
    let mut from = Numbers(rest);
    let head = match *form {
        FEW => {
            let mut visits = Vec::new();
            for _ in 0..from.next()? {
                let word = read_word(&mut from)?;
                let mut number = 0_u32;
                for _ in 0..from.next()? {
                    number = number.checked_add(from.next()?.try_into().ok()?)?;
                    visits.push((word, number));
                }
            }
            Head::Few(visits)
        }
        MANY => {
            let all = read_totals(&mut from)?;
            let (mut newest, mut before) = (Vec::new(), u32::MAX);
            for _ in 0..from.next()? {
                before = before.checked_sub(from.next()?.try_into().ok()?)?;
                newest.push(before);
            }
            let mut actions = Vec::new();
            for _ in 0..from.next()? {
                actions.push((read_word(&mut from)?, read_totals(&mut from)?));
            }
            Head::Many(Sums { all, newest, actions })
        }
        _ => return None,
    };
    from.0.is_empty().then_some(head)
}

/// Reads the sets of all games and of each of this many words; `None` if they are none.
pub(super) fn read_sets(bytes: &[u8], words: usize) -> Option<(RoaringBitmap, Vec<RoaringBitmap>)> {
    let mut from = Numbers(bytes);
    let all = read_set(&mut from)?;
    let sets = (0..words).map(|_| read_set(&mut from)).collect::<Option<_>>()?;
    from.0.is_empty().then_some((all, sets))
}

/// Some words, one after another.
pub(super) fn words<'w>(words: impl Iterator<Item = &'w str>) -> Vec<u8> {
    let mut bytes = Vec::new();
    words.for_each(|word| push_word(&mut bytes, word));
    bytes
}

/// Reads words that stand one after another; `None` if they do not.
pub(super) fn read_words(bytes: &[u8]) -> Option<Vec<Box<str>>> {
    let (mut from, mut words) = (Numbers(bytes), Vec::new());
    while !from.0.is_empty() {
        words.push(read_word(&mut from)?.into());
    }
    Some(words)
}

fn push_word(to: &mut Vec<u8>, word: &str) {
    push_number(to, word.len() as u64);
    to.extend_from_slice(word.as_bytes());
}

fn read_word<'b>(from: &mut Numbers<'b>) -> Option<&'b str> {
    let length = usize::try_from(from.next()?).ok()?;
    let (word, rest) = from.0.split_at_checked(length)?;
    from.0 = rest;
    str::from_utf8(word).ok()
}

fn push_totals(to: &mut Vec<u8>, totals: &Totals) {
    let Totals { games, results, last_ms } = totals;
    push_number(to, *games);
    push_number(to, results.wins.len() as u64);
    for count in results.wins.iter().chain([&results.draws, &results.other]) {
        push_number(to, u64::from(*count));
    }
    push_number(to, unsigned(*last_ms));
}

fn read_totals(from: &mut Numbers<'_>) -> Option<Totals> {
    let games = from.next()?;
    let seats = from.next()?;
    let mut count = || u32::try_from(from.next()?).ok();
    let wins = (0..seats).map(|_| count()).collect::<Option<_>>()?;
    let results = Results { wins, draws: count()?, other: count()? };
    Some(Totals { games, results, last_ms: signed(from.next()?) })
}

fn push_set(to: &mut Vec<u8>, mut set: RoaringBitmap) {
    set.optimize();
    push_number(to, set.serialized_size() as u64);
    set.serialize_into(&mut *to).expect("a vector takes every byte");
}

fn read_set(from: &mut Numbers<'_>) -> Option<RoaringBitmap> {
    let length = usize::try_from(from.next()?).ok()?;
    let (bytes, rest) = from.0.split_at_checked(length)?;
    from.0 = rest;
    RoaringBitmap::deserialize_from(bytes).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::results::GameResult;

    fn counted(number: u32) -> Counted {
        let results = [GameResult::Open, GameResult::Drawn, GameResult::Won(1), GameResult::Won(0b1010)];
        Counted { result: results[number as usize % 4], played_ms: i64::from(number % 50) - 20 }
    }

    #[test]
    fn a_few_visits_read_back() {
        let visits = vec![("b1-b2", 7), ("", 9), ("b1-b2", 3), ("a", u32::MAX)];
        let bytes = few(visits.clone());
        let Some(Head::Few(mut read)) = read_head(&bytes) else { panic!("it is one of few") };
        let mut expected = visits;
        read.sort_unstable();
        expected.sort_unstable();
        assert_eq!(read, expected);
    }

    #[test]
    fn many_visits_read_back_with_their_sums() {
        let sets = Sets::from([
            ("a".into(), (0..900).step_by(2).collect()),
            ("".into(), RoaringBitmap::from_iter([70_000, u32::MAX])),
        ]);
        let (head, bytes) = many(&sets, counted);
        let Some(Head::Many(sums)) = read_head(&head) else { panic!("it is one of many") };
        let all = &sets["a"] | &sets[""];
        assert_eq!(sums.all, Totals::of(&all, counted));
        assert_eq!(sums.newest, all.iter().rev().take(NEWEST).collect::<Vec<_>>());
        let (read, by_word) = read_sets(&bytes, 2).unwrap();
        assert_eq!(read, all);
        for (((word, totals), read), (expected, games)) in sums.actions.iter().zip(&by_word).zip(&sets) {
            assert_eq!((*word, read, totals), (&**expected, games, &Totals::of(games, counted)));
        }
    }

    #[test]
    fn words_read_back() {
        for some in [&[][..], &["a1-b2", "", "\u{1f3b2}"]] {
            let read = read_words(&words(some.iter().copied())).unwrap();
            assert!(read.iter().map(AsRef::as_ref).eq(some.iter().copied()));
        }
        assert_eq!(read_words(&[2, b'a']), None);
    }

    #[test]
    fn what_is_cut_off_is_refused() {
        let (head, sets) = many(&Sets::from([("a".into(), (0..50).collect())]), counted);
        assert!((0..head.len()).all(|length| read_head(&head[..length]).is_none()));
        assert!((0..sets.len()).all(|length| read_sets(&sets[..length], 1).is_none()));
        let few = few(vec![("a", 1), ("b", 300)]);
        assert!((0..few.len()).all(|length| read_head(&few[..length]).is_none()));
    }
}
