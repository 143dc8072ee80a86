//! `refused/*.txt`: setups and actions that are refused, with part of the reason.

use plybook_rules::{Rules, Viewer};

use crate::data::{Failure, File, act};

pub fn check(rules: &dyn Rules, file: &File) -> Result<(), Failure> {
    file.only(&["setup", "actions", "refused"], false)?;
    let (number, piece) = file.member("refused")?;
    if piece.is_empty() {
        return Err(file.at(number, "`refused` says a piece of the reason"));
    }
    let reason = if file.get("actions").is_some() { action(rules, file)? } else { setup(rules, file)? };
    if reason.contains(piece) { Ok(()) } else { Err(file.at(number, &format!("the reason is {reason:?}"))) }
}

/// The reason why the setup is refused.
fn setup(rules: &dyn Rules, file: &File) -> Result<String, Failure> {
    let (number, setup) = file.json("setup")?;
    match rules.start(&setup) {
        Ok(_) => Err(file.at(number, "this setup is not refused")),
        Err(why) => Ok(why.to_string()),
    }
}

/// The reason why the last action is refused; the others must be legal.
fn action(rules: &dyn Rules, file: &File) -> Result<String, Failure> {
    let mut position = file.start(rules)?;
    let (number, words) = file.words()?;
    let Some((last, before)) = words.split_last() else {
        return Err(file.at(number, "there is no action to refuse"));
    };
    for (word, ply) in before.iter().zip(1..) {
        act(position.as_mut(), word).map_err(|why| file.at(number, &format!("ply {ply}: {word}: {why}")))?;
    }
    let unchanged = position.to_json(Viewer::All);
    let refused = act(position.as_mut(), last).err();
    if position.to_json(Viewer::All) != unchanged {
        return Err(file.at(number, &format!("{last} has changed the position")));
    }
    refused.ok_or_else(|| file.at(number, &format!("{last} is not refused")))
}
