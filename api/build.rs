//! Makes the release program several per cent smaller where `rustc` links with LLD for glibc 2.36 or later.

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let is = |name: &str, value: &str| std::env::var(name).is_ok_and(|is| is == value);
    if is("TARGET", "x86_64-unknown-linux-gnu") && is("PROFILE", "release") {
        // GraphQL generates thousands of functions that come to the same code.
        println!("cargo::rustc-link-arg-bins=-Wl,--icf=all");
        // A megabyte of addresses to be relocated becomes a bitmap.
        println!("cargo::rustc-link-arg-bins=-Wl,-z,pack-relative-relocs");
    }
}
