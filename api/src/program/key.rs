//! `key`: keys that people sign with.

use std::fs::OpenOptions;
use std::io::{self, Read, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use clap::{Args, Subcommand};
use plybook_events::{PrivateKey, Signature, Statement};
use plybook_service::clock;

use super::Failure;

/// What precedes the seed of an Ed25519 key in PKCS#8 (RFC 8410, section 7).
const PKCS8: [u8; 16] = [0x30, 0x2e, 2, 1, 0, 0x30, 5, 6, 3, 0x2b, 0x65, 0x70, 4, 0x22, 4, 0x20];
const BEGIN: &str = "-----BEGIN PRIVATE KEY-----";
const END: &str = "-----END PRIVATE KEY-----";

/// The most bytes of a key file or a statement.
const BYTES_MAX: u64 = 128 * 1024;

/// Make keys, sign what you do in a game, and check signatures.
///
/// What is signed is a statement: a JSON object with the members `body`, `by`, `game`, `prev`, `seq` and `type` of an
/// event, as FORMAT.md says. Nothing here needs a service or the network.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  plybook key new greta.pem
  plybook key show greta.pem
  plybook key sign greta.pem statement.json
  plybook key verify \"$(cat signature.txt)\" statement.json

The private key is an Ed25519 key in PKCS#8, which openssl and WebCrypto read too.")]
pub(crate) struct Key {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Make a key, write the private key to a new file that only you can read, and print the public key
    New {
        /// The file, which must not exist
        file: PathBuf,
    },
    /// Print the public key that belongs to a private key
    Show {
        /// The file with the private key
        file: PathBuf,
    },
    /// Sign a statement, and print the public key and the signature
    Sign {
        /// The file with the private key
        file: PathBuf,
        /// The file with the statement [default: standard input]
        statement: Option<PathBuf>,
    },
    /// Check a signature; the exit status is 1 if it is not of the statement
    Verify {
        /// The public key and the signature, as `sign` prints them
        signature: Signature,
        /// The file with the statement [default: standard input]
        statement: Option<PathBuf>,
    },
}

impl Key {
    pub(crate) fn run(self) -> Result<(), Failure> {
        let text = match self.command {
            Command::New { file } => create(&file)?.public().to_string(),
            Command::Show { file } => read_key(&file)?.public().to_string(),
            Command::Sign { file, statement } => {
                let key = read_key(&file)?;
                read_statement(statement.as_deref())?.sign(&key).map_err(Failure::refused)?.to_string()
            }
            Command::Verify { signature, statement } => {
                if !read_statement(statement.as_deref())?.is_signed_by(&signature) {
                    return Err(Failure::refused("the signature is not of this statement"));
                }
                format!("signed by {}", signature.key)
            }
        };
        writeln!(io::stdout(), "{text}").map_err(Failure::output)
    }
}

/// Makes a key, and writes it to a new file.
fn create(path: &Path) -> Result<PrivateKey, Failure> {
    let seed = clock::random().0;
    let text = format!("{BEGIN}\n{}\n{END}\n", STANDARD.encode([&PKCS8[..], &seed[..]].concat()));
    let written = OpenOptions::new().write(true).create_new(true).mode(0o600).open(path).and_then(|mut file| {
        let whole = file.write_all(text.as_bytes()).and_then(|()| file.sync_all());
        // Half a key would be in the way of the next one.
        whole.inspect_err(|_| drop(std::fs::remove_file(path)))
    });
    written.map_err(|why| Failure::trouble(format!("{}: {why}", path.display())))?;
    Ok(PrivateKey::from_seed(&seed))
}

fn read_key(path: &Path) -> Result<PrivateKey, Failure> {
    let text = read(Some(path))?;
    seed(&text).map(|seed| PrivateKey::from_seed(&seed)).ok_or_else(|| {
        Failure::trouble(format!("{}: not an Ed25519 key in PKCS#8, as `plybook key new` makes them", path.display()))
    })
}

/// The seed of a private key in PKCS#8.
fn seed(text: &str) -> Option<[u8; 32]> {
    let inner = text.trim().strip_prefix(BEGIN)?.strip_suffix(END)?;
    let bytes = STANDARD.decode(inner.split_ascii_whitespace().collect::<String>()).ok()?;
    bytes.strip_prefix(&PKCS8[..])?.try_into().ok()
}

fn read_statement(path: Option<&Path>) -> Result<Statement, Failure> {
    let statement: Statement = serde_json::from_str(&read(path)?).map_err(|why| {
        Failure::refused(format!("not a statement, an object with body, by, game, prev, seq and type: {why}"))
    })?;
    if statement.body.contains_key("seed") {
        return Err(Failure::refused("a statement has no `seed` in its body: the service adds it to the event"));
    }
    Ok(statement)
}

/// Reads a file or standard input.
fn read(path: Option<&Path>) -> Result<String, Failure> {
    let mut text = String::new();
    let result = match path {
        Some(path) => std::fs::File::open(path).and_then(|file| file.take(BYTES_MAX).read_to_string(&mut text)),
        None => io::stdin().take(BYTES_MAX).read_to_string(&mut text),
    };
    let name = path.map_or_else(|| "standard input".to_owned(), |path| path.display().to_string());
    result.map(|_| text).map_err(|why| Failure::trouble(format!("{name}: {why}")))
}
