//! `pair`.

use std::fs;

use crate::plybook::{run, run_with};

#[test]
fn a_random_tournament_is_reproducible_and_paired_by_the_rules() {
    let generate = ["pair", "--generate", "--players", "23", "--rounds", "5", "--seed", "7"];
    let file = run(&generate).ok();
    assert_eq!(run(&generate).ok(), file);
    let told = run_with(&["pair", "--check", "-"], &file).ok();
    assert_eq!(told, "1 tournaments with 5 rounds paired again, 0 differ\n");
    let why = run_with(&["pair", "-"], &file).fails(1);
    assert!(why.contains("all 5 rounds are paired"), "{why}");
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("turned.trf");
    fs::write(&path, file.replacen(" w ", " b ", 1)).unwrap();
    let why = run(&["pair", "--check", path.to_str().unwrap()]).fails(1);
    assert!(why.contains("line 5, column 102: round 2: the entries of 1 and 21"), "{why}");
}

#[test]
fn it_prints_what_other_engines_print_and_why() {
    let file = run(&["pair", "--generate", "--players", "5", "--rounds", "1", "--seed", "3"]).ok();
    let next = file.replace("142 1", "142 3");
    for system in ["dutch", "fast"] {
        let told = run_with(&["pair", "--system", system, "-"], &next).ok();
        let mut lines = told.lines();
        let count: usize = lines.next().unwrap().parse().unwrap();
        let pairs: Vec<Vec<u16>> =
            lines.map(|line| line.split(' ').map(|number| number.parse().unwrap()).collect()).collect();
        assert!(pairs.len() == count && pairs.iter().all(|pair| pair.len() == 2), "{told}");
        let why = run_with(&["pair", "--system", system, "--explain", "-"], &next).ok();
        assert!(why.contains("    Seats: ") && why.contains("Random, Player"), "{why}");
    }
}

#[test]
fn bad_files_are_refused_with_line_and_column() {
    let why = run_with(&["pair", "-"], "001    1\n").fails(1);
    assert_eq!(why, "-: line 1, column 9: the line ends too early: 001 has at least 84 columns\n");
    run(&["pair"]).fails(2);
    run(&["pair", "/nowhere.trf"]).fails(2);
    run(&["pair", "a.trf", "b.trf"]).fails(2);
    for option in ["--players", "--rounds", "--seed"] {
        let why = run(&["pair", option, "5", "a.trf"]).fails(2);
        assert!(why.contains(option) && why.contains("cannot be used with"), "{why}");
    }
}

/// Four entrants of a round robin, without a round.
fn four(planned: u32, code: &str) -> String {
    let entrant = |number: u32| {
        format!("001    {number}      {:<33} 1500                             0.0\n", format!("P{number}"))
    };
    format!("142 {planned}\n192 {code}\n{}", (1..=4).map(entrant).collect::<String>())
}

#[test]
fn the_file_or_the_option_names_the_system() {
    assert_eq!(run_with(&["pair", "-"], &four(3, "FIDE_ROUNDROBIN")).ok(), "2\n1 4\n2 3\n");
    assert_eq!(run_with(&["pair", "-"], &four(3, "FIDE_DUTCH_2025")).ok(), "2\n1 3\n4 2\n");
    let custom = four(6, "CUSTOM_SWISS");
    assert_eq!(run_with(&["pair", "--system", "berger", "-"], &custom).ok(), "2\n1 4\n2 3\n");
    let why = run_with(&["pair", "-"], &custom).fails(1);
    assert!(why.contains("CUSTOM_SWISS") && why.contains("--system dutch, fast or berger"), "{why}");
    let why = run_with(&["pair", "-"], &four(4, "FIDE_ROUNDROBIN")).fails(1);
    assert!(why.contains("4 entrants need 3 rounds to meet once"), "{why}");
    assert!(run(&["pair", "--system", "pods", "a.trf"]).fails(2).contains("possible values: dutch, fast, berger"));
    run(&["pair", "--generate", "--system", "berger"]).fails(2);
}

#[test]
fn each_system_checks_its_own_rounds() {
    let fast = run(&["pair", "--generate", "--system", "fast", "--players", "30", "--rounds", "5"]).ok();
    let told = run_with(&["pair", "--check", "--system", "fast", "-"], &fast).ok();
    assert!(told.ends_with("5 rounds paired again, 0 differ\n"), "{told}");
    run_with(&["pair", "--check", "--system", "dutch", "-"], &fast).fails(1);
}

/// A check that checks nothing does not succeed.
#[test]
fn what_is_no_report_is_refused() {
    let dir = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| {
        let path = dir.path().join(name);
        fs::write(&path, text).unwrap();
        path.to_str().unwrap().to_owned()
    };
    let player = |number: u16, games: &str| {
        format!("001 {number:>4}      {:<33} {:>4} {:3} {:>11} {:10}  0.0 {:>4}{games}\n", "A", "", "", "", "", "")
    };
    let readme = write("README.md", "# A program\n");
    let shifted = write("shifted.trf", &format!(" {}", player(1, "")));
    for file in [&readme, &shifted] {
        for arguments in [&["pair", "--check", file.as_str()][..], &["pair", file.as_str()]] {
            let why = run(arguments).fails(1);
            assert!(why.contains("no line begins with 001"), "{why}");
        }
    }
    // Who alone is there has the bye.
    let alone = write("alone.trf", &format!("XXR 3\n{}{}XXZ 1\n", player(1, ""), player(2, "")));
    assert_eq!(run(&["pair", &alone]).ok(), "1\n2 0\n");
}
