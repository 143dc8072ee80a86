//! Compares the price of every field of the schema with the CPU time that it takes, over all kinds of games.
//!
//! `cargo bench -p plybook-tests --bench prices`

#[path = "../support/mod.rs"]
mod support;
mod table;

use plybook_rules::kinds;

use crate::table::{Attack, FULL, Prices, Row, TOLERANCE, attacks};

fn main() {
    let mut rows: Vec<Row> = Vec::new();
    for rules in kinds() {
        let prices = Prices::new(*rules, FULL);
        for row in prices.rows(15) {
            match rows.iter_mut().find(|known| known.name == row.name) {
                Some(known) if known.cpu_us < row.cpu_us => *known = row,
                Some(_) => {}
                None => rows.push(row),
            }
        }
    }
    rows.sort_by(|one, other| other.cpu_us.total_cmp(&one.cpu_us));
    println!("| field | most expensive kind | price µs | for memory | CPU µs | CPU / price | bytes |");
    println!("|---|---|---:|---:|---:|---:|---:|");
    let (mut cheap, mut expensive) = (0, 0);
    for row in &rows {
        let Row { name, kind, price, floor, cpu_us, bytes } = row;
        cheap += usize::from(row.is_too_cheap());
        expensive += usize::from(row.is_too_expensive());
        let mark = if row.is_too_cheap() || row.is_too_expensive() { " LOST" } else { "" };
        println!(
            "| `{name}` | {kind} | {price:.0} | {floor:.0} | {cpu_us:.1} | {:.2}{mark} | {bytes:.0} |",
            cpu_us / price
        );
    }
    println!(
        "\n{} fields; {cheap} cost more than {TOLERANCE} times their price, {expensive} less than a {TOLERANCE}rd of it",
        rows.len()
    );

    println!("\n| the most expensive operations, and the bytes to ask for them | price | CPU ms | bytes |");
    println!("|---|---:|---:|---:|");
    for rules in kinds() {
        for Attack { name, query, price, cpu_us, bytes } in attacks(&Prices::new(*rules, FULL), 5) {
            let kind = rules.about().kind;
            let sent = query.len();
            println!("| {kind} `{name}`, {sent} bytes | {price} | {:.0} | {bytes} |", cpu_us / 1e3);
        }
    }
}
