//! `perft/*.txt`: the number of action sequences of each length from a position.

use plybook_rules::Rules;

use crate::data::{Failure, File};

/// Whose count it is: that of another implementation or of the published rules, or only ours.
const SOURCES: [&str; 2] = ["counted elsewhere: ", "our own count: "];

pub fn check(rules: &dyn Rules, file: &File) -> Result<(), Failure> {
    file.only(&["setup", "actions"], true)?;
    if !SOURCES.iter().any(|source| file.source().starts_with(source)) {
        return Err(file.at(1, &format!("the source of counts begins with one of {SOURCES:?}")));
    }
    let position = file.played(rules)?;
    let mut rows = 0;
    for (number, row) in file.rows() {
        if let Some((depth, count)) = row.split_once(' ')
            && file.is_open(count)
            && let Ok(known) = depth.parse()
        {
            file.fill(number, &format!("{depth} {}", position.perft(known)))?;
            rows += 1;
            continue;
        }
        let numbers = row.split_once(' ').and_then(|(depth, count)| {
            let count: u64 = count.trim().parse().ok()?;
            Some((depth.parse().ok()?, count))
        });
        let (depth, count) =
            numbers.ok_or_else(|| file.at(number, "a row is `<depth> <count>`; UPDATE=1 fills in `<depth> ?`"))?;
        let counted = position.perft(depth);
        if counted != count {
            return Err(file.at(number, &format!("perft({depth}) is {counted}, not {count}")));
        }
        rows += 1;
    }
    if rows > 0 { Ok(()) } else { Err(file.at(1, "there are no rows `<depth> <count>`")) }
}
