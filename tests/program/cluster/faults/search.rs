//! Looks for secrets in bytes: as they are, in hex, and in base64.

use std::collections::{HashMap, HashSet};
use std::fs;
use std::path::{Path, PathBuf};

use base64::Engine;
use base64::prelude::{BASE64_STANDARD, BASE64_URL_SAFE};

/// How many bytes are looked up first; nothing that is looked for is shorter.
const FIRST: usize = 12;

/// What is looked for.
pub struct Wanted {
    /// By the first bytes.
    texts: HashMap<[u8; FIRST], Vec<Vec<u8>>>,
    /// Whether any begins with three bytes, which are its index: nearly all places are passed over by this.
    starts: Vec<bool>,
    pub count: usize,
}

impl Default for Wanted {
    fn default() -> Self {
        Self { texts: HashMap::new(), starts: vec![false; 1 << 24], count: 0 }
    }
}

impl Wanted {
    /// Looks for this, too, in every form.
    pub fn add(&mut self, secret: &[u8]) {
        self.count += 1;
        self.add_form(secret.to_vec());
        let hex: String = secret.iter().map(|byte| format!("{byte:02x}")).collect();
        self.add_form(hex.to_uppercase().into_bytes());
        self.add_form(hex.into_bytes());
        // In the middle of something longer, it begins with any of the three bytes that make four characters.
        for before in 0..3 {
            let shifted = [&vec![0; before], secret].concat();
            let whole = shifted.len() / 3 * 3;
            for text in [BASE64_STANDARD.encode(&shifted[..whole]), BASE64_URL_SAFE.encode(&shifted[..whole])] {
                self.add_form(text.into_bytes().split_off(if before == 0 { 0 } else { 4 }));
            }
        }
    }

    fn add_form(&mut self, form: Vec<u8>) {
        let Some(first) = form.first_chunk() else { panic!("{} bytes are too few", form.len()) };
        self.starts[start(first)] = true;
        self.texts.entry(*first).or_default().push(form);
    }

    /// What is found in some bytes.
    fn found_in(&self, bytes: &[u8]) -> HashSet<Vec<u8>> {
        let mut found = HashSet::new();
        for (at, window) in bytes.windows(FIRST).enumerate() {
            if !self.starts[start(window)] {
                continue;
            }
            let Some(texts) = self.texts.get(window) else { continue };
            found.extend(texts.iter().filter(|text| bytes[at..].starts_with(text)).cloned());
        }
        found
    }

    /// What is found in the files of a folder, with the file in which it was last.
    pub fn found_below(&self, folder: &Path) -> HashMap<Vec<u8>, PathBuf> {
        let (mut found, mut paths) = (HashMap::new(), vec![folder.to_owned()]);
        while let Some(path) = paths.pop() {
            if path.is_dir() {
                paths.extend(fs::read_dir(path).unwrap().map(|entry| entry.unwrap().path()));
            } else {
                let bytes = fs::read(&path).unwrap();
                found.extend(self.found_in(&bytes).into_iter().map(|text| (text, path.clone())));
            }
        }
        found
    }
}

fn start(bytes: &[u8]) -> usize {
    usize::from(bytes[0]) << 16 | usize::from(bytes[1]) << 8 | usize::from(bytes[2])
}

#[test]
fn a_secret_is_found_in_every_form() {
    let secret = [0xa0, 0xfb, 0xff, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19];
    let mut wanted = Wanted::default();
    wanted.add(&secret);
    let hex = |byte: &u8| format!("{byte:02x}");
    for before in ["", "x", "xy", "xyz"] {
        let longer = [before.as_bytes(), &secret, b"and more"].concat();
        for text in [
            longer.clone(),
            longer.iter().map(hex).collect::<String>().into_bytes(),
            BASE64_STANDARD.encode(&longer).into_bytes(),
            BASE64_URL_SAFE.encode(&longer).into_bytes(),
        ] {
            assert!(!wanted.found_in(&text).is_empty(), "{:?}", String::from_utf8_lossy(&text));
        }
    }
    assert!(wanted.found_in(&secret[1..]).is_empty());
}
