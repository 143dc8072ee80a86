//! `perft/*.txt`: how many action sequences of each length a position has.

use plybook_rules::Rules;

use crate::data::{Failure, File};

pub fn check(rules: &dyn Rules, file: &File) -> Result<(), Failure> {
    file.only(&["setup", "actions"], true)?;
    let table = file.played(rules)?;
    let mut rows = 0;
    for (number, row) in file.rows() {
        let numbers = row.split_once(' ').and_then(|(depth, count)| {
            let count: u64 = count.trim().parse().ok()?;
            Some((depth.parse().ok()?, count))
        });
        let (depth, count) = numbers.ok_or_else(|| file.at(number, "a row is `<depth> <count>`"))?;
        let counted = table.perft(depth);
        if counted != count {
            return Err(file.at(number, &format!("perft({depth}) is {counted}, not {count}")));
        }
        rows += 1;
    }
    if rows > 0 { Ok(()) } else { Err(file.at(1, "there are no rows `<depth> <count>`")) }
}
