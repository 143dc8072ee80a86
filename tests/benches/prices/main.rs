//! The price of every field of the schema beside the CPU time that it takes, over all kinds of games.
//!
//! `cargo bench -p plybook-tests --bench prices`

#[path = "../support/mod.rs"]
mod support;
mod table;

use plybook_rules::kinds;

use crate::table::{Attack, FULL, Prices, Row, TOLERANCE, WORTH_US, attacks};

fn main() {
    let mut rows: Vec<Row> = Vec::new();
    for rules in kinds() {
        let prices = Prices::new(*rules, FULL);
        for row in prices.rows(15) {
            match rows.iter_mut().find(|known| known.name == row.name) {
                Some(known) if known.cpu_us / known.price < row.cpu_us / row.price => *known = row,
                Some(_) => {}
                None => rows.push(row),
            }
        }
    }
    rows.sort_by(|one, other| other.cpu_us.total_cmp(&one.cpu_us));
    println!("| field | dearest kind | price | CPU µs | CPU / price | bytes |");
    println!("|---|---|---:|---:|---:|---:|");
    let mut lost = 0;
    for Row { name, kind, price, cpu_us, bytes } in &rows {
        let is_lost = *cpu_us > WORTH_US && cpu_us / 10.0 / price > TOLERANCE;
        lost += usize::from(is_lost);
        let mark = if is_lost { " LOST" } else { "" };
        println!("| `{name}` | {kind} | {price:.1} | {cpu_us:.1} | {:.2}{mark} | {bytes:.0} |", cpu_us / 10.0 / price);
    }
    println!("\n{} fields; {lost} cost more than {TOLERANCE} times their price", rows.len());

    println!("\n| the dearest operations, and the bytes to ask for them | price | CPU ms | bytes |");
    println!("|---|---:|---:|---:|");
    for rules in kinds() {
        for Attack { name, query, price, cpu_us, bytes } in attacks(&Prices::new(*rules, FULL), 5) {
            let kind = rules.about().kind;
            let sent = query.len();
            println!("| {kind} `{name}`, {sent} bytes | {price} | {:.0} | {bytes} |", cpu_us / 1e3);
        }
    }
}
