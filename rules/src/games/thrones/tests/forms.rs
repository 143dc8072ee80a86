//! Set-ups are put together from trays as they are written.

use std::collections::BTreeMap;

use super::*;
use crate::form::{Form, Tray};

/// What a tray writes of a set-up, whose pieces are given by their slots.
fn written(tray: &Tray, on: &BTreeMap<String, char>) -> String {
    let slots = tray.slots.iter().filter_map(|slot| Some((slot, on.get(&slot.place)?)));
    slots.fold(tray.before.to_owned(), |text, (slot, letter)| format!("{text}{}{letter}{}", slot.before, slot.after))
}

/// The pieces on a tray's slots, in a set-up that the rules have written.
fn filled(tray: &Tray, part: &str) -> BTreeMap<String, char> {
    let mut rest = part;
    tray.slots
        .iter()
        .filter_map(|slot| {
            let after = rest.strip_prefix(slot.before.as_str())?;
            let letter = after.chars().next()?;
            rest = after[1..].strip_prefix(slot.after.as_str())?;
            Some((slot.place.clone(), letter))
        })
        .collect()
}

#[test]
fn every_set_up_is_put_together_from_the_trays() {
    for (number, setup) in setups().enumerate() {
        let game = Thrones::start(&setup).expect("a setup");
        for seat in [1, 2] {
            let mut dice = Dice(number as u64);
            let action = game.sample(Actor::Seat(seat), &mut |sides| dice.roll(sides)).to_string();
            let Some(Form::Trays(trays)) = game.form(Viewer::All, Actor::Seat(seat)) else {
                panic!("a set-up has trays")
            };
            let parts = action.strip_prefix("setup:").expect("a set-up").split(':');
            let mut text = String::new();
            for (tray, part) in trays.iter().zip(parts) {
                let on = filled(tray, part);
                text += &written(tray, &on);
                assert_eq!(on.len(), tray.total, "{action}: {}", tray.title);
                for piece in &tray.pieces {
                    let count = on.values().filter(|letter| **letter == piece.letter).count();
                    assert!((piece.least..=piece.most).contains(&count), "{action}: {} of {}", count, piece.name);
                    let stands = |place: &&String| on.get(*place) == Some(&piece.letter);
                    assert_eq!(piece.barred.iter().find(stands), None, "{action}: {}", piece.name);
                    assert!(!piece.items.is_empty() && piece.items.iter().all(|item| item.place.is_none()));
                }
                assert!(part.is_empty() || on.values().all(|on| tray.pieces.iter().any(|one| one.letter == *on)));
            }
            assert_eq!(text, action);
        }
    }
}

#[test]
fn the_home_fortress_is_barred_from_the_edges() {
    let game = Thrones::start(&json!({})).expect("a setup");
    let Some(Form::Trays(trays)) = game.form(Viewer::All, Actor::Seat(2)) else { panic!("a set-up has trays") };
    let fortress = trays[0].pieces.iter().find(|piece| piece.letter == 'F').expect("a fortress");
    assert_eq!(fortress.barred.len(), 9 + 3 * 2);
    assert!(["a9", "e9", "i9", "a6", "i7"].iter().all(|place| fortress.barred.iter().any(|barred| barred == place)));
}
