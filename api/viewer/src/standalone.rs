//! A game as one page that needs no service: the viewer, the rules of its kind, and its record.

use std::collections::BTreeMap;
use std::io::Read;
use std::sync::{LazyLock, OnceLock};

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use flate2::Compression;
use flate2::read::GzEncoder;
use plybook_rules::log::{Replay, Status};
use plybook_service::Service;
use plybook_service::error::Problem;
use serde_json::json;

use crate::bundle::{Links, Script, style, without_comments};
use crate::files::Files;
use crate::language::{Language, escaped};

/// Where the page starts.
const START: &str = "standalone/start.js";

const WHOLE: &str = "the viewer's files are all there, in the form that a test demands";

/// A game in the state of `replay`, ignoring anything recorded since, as an HTML document in `language`. The record is asked for
/// once it is known that there can be a page.
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
        "teams": replay.position().teams().groups(),
        "tournament": tournament.map(|tournament| json!({ "id": tournament.id, "name": tournament.settings.name })),
    });
    let seats: Vec<&str> = replay.created().seats.iter().map(|seat| seat.name.as_str()).collect();
    let title = format!("{} · {} · Plybook", seats.join(" – "), about.title);
    // One pass, so that nothing in a name or a record is taken for a place to fill.
    let parts = [
        ("<!-- title -->", escaped(&title)),
        ("<!-- viewer -->", viewer(language).to_owned()),
        ("<!-- game -->", packed(&game.to_string())),
        ("<!-- rules -->", rules.clone()),
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

/// The rules for browsers, by kind: the files `KIND-HASH.wasm.gz`, as base64.
static MODULES: LazyLock<BTreeMap<String, String>> = LazyLock::new(|| {
    let module = |path: String| {
        let (kind, _) = path.strip_prefix("rules/")?.strip_suffix(".wasm.gz")?.rsplit_once('-')?;
        Some((kind.to_owned(), STANDARD.encode(Files::get(&path)?)))
    };
    Files::paths().filter_map(module).collect()
});

/// The viewer in a language, packed: the replay's body, its style, and its script.
fn viewer(language: Language) -> &'static str {
    static MADE: [OnceLock<String>; Language::ALL.len()] = [const { OnceLock::new() }; Language::ALL.len()];
    MADE[language as usize].get_or_init(|| {
        let page = filled(language, "pages/game.html");
        let (head, body) = page.split_once("<body>").expect("the page has a body");
        let linked = Links::of(head).styles;
        let linked = linked.iter().map(String::as_str);
        let styles = ["base/viewer.css"].into_iter().chain(linked).chain(["standalone/standalone.css"]);
        let viewer = json!({
            "body": body.replace("<!-- header -->", &filled(language, "standalone/header.html")),
            "scene": style(["base/scene.css"]).expect(WHOLE),
            "style": style(styles).expect(WHOLE),
            "script": Script::whole(START, language).expect(WHOLE),
        });
        packed(&viewer.to_string())
    })
}

/// Text as base64 of its gzip.
fn packed(text: &str) -> String {
    let mut bytes = Vec::new();
    GzEncoder::new(text.as_bytes(), Compression::best()).read_to_end(&mut bytes).expect("reading from memory succeeds");
    STANDARD.encode(bytes)
}

/// A page of the viewer, its words filled in.
fn filled(language: Language, path: &str) -> String {
    language.filled(&file(path)).expect(WHOLE)
}

/// A file of the viewer.
fn file(path: &str) -> String {
    Files::text(path).expect(WHOLE)
}
