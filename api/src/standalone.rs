//! A game as one page that needs no service: the viewer, the rules of its kind, and its record.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::num::NonZeroU64;
use std::sync::{LazyLock, OnceLock};

use flate2::Compression;
use flate2::write::GzEncoder;
use plybook_rules::log::{Replay, Status};
use serde_json::json;
use zopfli::{Format, Options};

use crate::bundle::{Links, Script, style, without_comments};
use crate::error::Problem;
use crate::files::Files;
use crate::language::{Language, escaped};
use crate::service::Service;

/// Where the page starts.
const START: &str = "standalone/start.js";

const WHOLE: &str = "the viewer's files are all there, in the form that a test demands";

/// What the replay loads only on pages of a service.
const ABSENT: [&str; 5] =
    ["base/entropy.js", "base/live.js", "replay/asking.js", "replay/view/animation.js", "replay/view/embedded.js"];
const UNSTYLED: [&str; 3] = ["figures/charts.css", "replay/explorer.css", "replay/analysis.css"];

/// How often zopfli tries: more often takes longer and gains next to nothing.
const ROUNDS: NonZeroU64 = NonZeroU64::new(5).expect("5 is not 0");

/// Two characters stand for the digits of a number of 31 bits to this base, the least whose square is large enough.
const BASE: u32 = 46_341;
const BITS: u32 = 31;

/// The character for 0; up to U+B604, for the last digit, all are two bytes in UTF-16 and none has a meaning in HTML.
const FIRST: u32 = 0x0100;

/// A game in the state of `replay`, ignoring anything recorded since, as an HTML document in `language`. It is smallest in
/// UTF-16, with a byte order mark. The record is asked for once it is known that there can be a page.
///
/// # Errors
/// It is a line, something in it is still sealed, the rules are not among those for browsers, or a log cannot be read.
pub fn standalone(
    service: &Service,
    replay: &Replay,
    language: Language,
    record: impl FnOnce() -> Result<String, Problem>,
) -> Result<String, Problem> {
    let about = replay.rules().about();
    if replay.created().fork.is_some() {
        let why = "a line has no page of its own: the page of its game shows its lines";
        return Err(Problem::BadInput(why.to_owned()));
    }
    if about.secrets && replay.status() == Status::Running {
        let why = "a game with secrets has a page once it is over: the page holds the whole record";
        return Err(Problem::BadInput(why.to_owned()));
    }
    let missing = || Problem::NotFound(format!("there are no rules of {} for browsers", about.kind));
    let rules = MODULES.get(about.kind).ok_or_else(missing)?;
    let known = service.models().known();
    let tournament = replay.created().tournament.and_then(|id| known.tournaments.get(id).cloned());
    drop(known);
    let game = json!({
        "record": record()?,
        "rules": {
            "kind": about.kind, "title": about.title, "designer": about.designer, "source": about.source,
            "secrets": about.secrets, "document": rules_of(about.document),
        },
        "tournament": tournament.map(|tournament| json!({ "id": tournament.id, "name": tournament.settings.name })),
    });
    let seats: Vec<&str> = replay.created().seats.iter().map(|seat| seat.name.as_str()).collect();
    let title = format!("{} · {} · Plybook", seats.join(" – "), about.title);
    let game = Packed::of(&compressed(game.to_string().as_bytes()).map_err(Problem::internal)?);
    let viewer = viewer(language);
    // One pass, so that nothing in a name or a record is taken for a place to fill.
    let parts = [
        ("<!-- title -->", escaped(&title)),
        ("<!-- viewer bytes -->", viewer.bytes.to_string()),
        ("<!-- viewer -->", viewer.text.clone()),
        ("<!-- game bytes -->", game.bytes.to_string()),
        ("<!-- game -->", game.text),
        ("<!-- rules bytes -->", rules.bytes.to_string()),
        ("<!-- rules -->", rules.text.clone()),
        ("<!-- unpack -->", without_comments(&file("standalone/unpack.js"))),
    ];
    let (mut page, mut rest) = (String::new(), filled(language, "standalone/page.html"));
    for (place, text) in parts {
        let (before, after) = rest.split_once(place).expect("page.html has this place, in this order");
        page.push_str(before);
        page.push_str(&text);
        rest = after.to_owned();
    }
    Ok(page + &rest)
}

/// A game's document without what it says of figures, which the page does not have.
fn rules_of(document: &str) -> &str {
    document.split("\n## Measures").next().unwrap_or(document)
}

/// A document in UTF-16 with a byte order mark, which browsers believe whatever a server says of it.
pub fn utf16(page: &str) -> Vec<u8> {
    let units = std::iter::once(0xfeff).chain(page.encode_utf16());
    units.flat_map(u16::to_le_bytes).collect()
}

/// Bytes as text.
struct Packed {
    /// How many there are.
    bytes: usize,
    /// 31 bits in two characters, the highest first; the last ones are filled up with zeros.
    text: String,
}

impl Packed {
    fn of(bytes: &[u8]) -> Self {
        let (mut text, mut held, mut count) = (String::with_capacity(bytes.len() * 8 / 5 + 6), 0_u64, 0);
        for byte in bytes {
            held = held << 8 | u64::from(*byte);
            count += 8;
            if count >= BITS {
                count -= BITS;
                text.extend(digits(held >> count));
                held &= (1 << count) - 1;
            }
        }
        if count > 0 {
            text.extend(digits(held << (BITS - count)));
        }
        Self { bytes: bytes.len(), text }
    }
}

/// The two characters of a number of 31 bits.
fn digits(number: u64) -> [char; 2] {
    let number = u32::try_from(number).expect("it has 31 bits");
    [number / BASE, number % BASE].map(|digit| char::from_u32(FIRST + digit).expect("all of these are characters"))
}

/// The rules for browsers, by kind: the files `KIND-HASH.wasm.gz`.
static MODULES: LazyLock<BTreeMap<String, Packed>> = LazyLock::new(|| {
    let module = |path: String| {
        let (kind, _) = path.strip_prefix("rules/")?.strip_suffix(".wasm.gz")?.rsplit_once('-')?;
        Some((kind.to_owned(), Packed::of(&Files::get(&path)?)))
    };
    Files::paths().filter_map(module).collect()
});

/// The viewer in a language: the replay's body, its style, and its script, compressed.
fn viewer(language: Language) -> &'static Packed {
    static MADE: [OnceLock<Packed>; Language::ALL.len()] = [const { OnceLock::new() }; Language::ALL.len()];
    MADE[language as usize].get_or_init(|| packed(language))
}

fn packed(language: Language) -> Packed {
    let page = filled(language, "pages/game.html");
    let (head, body) = page.split_once("<body>").expect("the page has a body");
    let linked = Links::of(head).styles;
    let shown = linked.iter().map(String::as_str).filter(|path| !UNSTYLED.contains(path));
    let styles = ["base/viewer.css"].into_iter().chain(shown).chain(["standalone/standalone.css"]);
    let viewer = json!({
        "body": body.replace("<!-- header -->", &filled(language, "standalone/header.html")),
        "scene": style(["base/scene.css"]).expect(WHOLE),
        "style": style(styles).expect(WHOLE),
        "script": Script::whole(START, &ABSENT, language).expect(WHOLE),
    });
    let mut small = Vec::new();
    // A second of one core, once for each language, for a twentieth of the viewer in every page that is saved.
    let options = Options { iteration_count: ROUNDS, ..Options::default() };
    zopfli::compress(options, Format::Gzip, viewer.to_string().as_bytes(), &mut small)
        .expect("writing to memory succeeds");
    Packed::of(&small)
}

fn compressed(bytes: &[u8]) -> io::Result<Vec<u8>> {
    let mut out = GzEncoder::new(Vec::new(), Compression::best());
    out.write_all(bytes)?;
    out.finish()
}

/// A page of the viewer, its words filled in.
fn filled(language: Language, path: &str) -> String {
    language.filled(&file(path)).expect(WHOLE)
}

/// A file of the viewer.
fn file(path: &str) -> String {
    Files::text(path).expect(WHOLE)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_are_packed_thirty_one_bits_in_two_characters() {
        for length in 0..80_usize {
            let bytes: Vec<u8> = (0..length).map(|index| (index * 37 + 200) as u8).collect();
            let packed = Packed::of(&bytes);
            let digits: Vec<u64> = packed.text.chars().map(|digit| u64::from(digit as u32 - FIRST)).collect();
            assert_eq!(digits.len(), 2 * (length * 8).div_ceil(31));
            let numbers: Vec<u64> = digits.chunks(2).map(|pair| pair[0] * u64::from(BASE) + pair[1]).collect();
            let bit = |at: usize| (numbers[at / 31] >> (30 - at % 31) & 1) as u8;
            let byte = |at: usize| (at * 8..at * 8 + 8).fold(0, |byte, at| byte << 1 | bit(at));
            let found: Vec<u8> = (0..packed.bytes).map(byte).collect();
            assert_eq!(found, bytes);
        }
        assert_eq!(Packed::of(&[0xff; 31]).text, "\u{b604}\u{a3eb}".repeat(8));
        assert_eq!(utf16("a\u{b604}"), [0xff, 0xfe, b'a', 0, 0x04, 0xb6]);
    }
}
