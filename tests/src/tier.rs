//! How large a test is. The environment variable `PLYBOOK_TESTS` says which tier of tests runs: it is not set in
//! `tests/run`, `all` in `tests/run all`, and `long` in `tests/run long`.

/// The size for the tier that runs.
pub fn size<T>(usual: T, all: T, long: T) -> T {
    match std::env::var("PLYBOOK_TESTS").as_deref() {
        Err(_) | Ok("") => usual,
        Ok("all") => all,
        Ok("long") => long,
        Ok(other) => panic!("PLYBOOK_TESTS is {other:?} and has to be \"all\" or \"long\""),
    }
}
