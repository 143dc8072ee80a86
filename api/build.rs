//! Puts the viewer's files into the release program, and makes the program several per cent smaller where `rustc` links with
//! LLD for glibc 2.36 or later.

use std::path::Path;
use std::{env, fs, io};

/// The folder of the viewer.
const VIEWER: &str = "../web-viewer";

/// What takes the fewest bytes.
const ZSTD_LEVEL: i32 = 19;

fn main() -> io::Result<()> {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rustc-check-cfg=cfg(packed_viewer)");
    let is = |name: &str, value: &str| env::var(name).is_ok_and(|is| is == value);
    if !is("PROFILE", "release") {
        return Ok(());
    }
    println!("cargo::rerun-if-changed={VIEWER}");
    println!("cargo::rustc-cfg=packed_viewer");
    let mut archive = Vec::new();
    pack(Path::new(VIEWER), "", &mut archive)?;
    let out = env::var_os("OUT_DIR").expect("cargo says where");
    fs::write(Path::new(&out).join("viewer.zst"), zstd::encode_all(&*archive, ZSTD_LEVEL)?)?;
    if is("TARGET", "x86_64-unknown-linux-gnu") {
        // GraphQL generates thousands of functions that come to the same code.
        println!("cargo::rustc-link-arg-bins=-Wl,--icf=all");
        // A megabyte of addresses to be relocated becomes a bitmap.
        println!("cargo::rustc-link-arg-bins=-Wl,-z,pack-relative-relocs");
    }
    Ok(())
}

/// Adds the files of a folder whose path in the viewer is `folder`, empty or with a slash at its end: for each a line with its
/// length and its path, and its bytes. What is alike stands together: files are sorted by their endings, then by their names.
fn pack(dir: &Path, folder: &str, archive: &mut Vec<u8>) -> io::Result<()> {
    let mut entries: Vec<_> = fs::read_dir(dir)?.collect::<io::Result<_>>()?;
    entries.sort_by_key(|entry| {
        let path = entry.path();
        (path.extension().map(ToOwned::to_owned), path)
    });
    for entry in entries {
        let path = format!("{folder}{}", entry.file_name().to_str().expect("names of the viewer's files are text"));
        if entry.path().is_dir() {
            pack(&entry.path(), &(path + "/"), archive)?;
        } else {
            let bytes = fs::read(entry.path())?;
            archive.extend_from_slice(format!("{} {path}\n", bytes.len()).as_bytes());
            archive.extend_from_slice(&bytes);
        }
    }
    Ok(())
}
