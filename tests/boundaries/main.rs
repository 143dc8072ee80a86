//! The architecture's absences: what each part must not name or depend on, checked in manifests and sources.

mod sources;

use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;

use plybook_example::HEAPS;
use plybook_rules::kinds;
use plybook_rules::scene::SHARED;

use crate::sources::{Dependency, Line, classes_of, code_of, dependencies, names, top};

/// Words that the code in a directory must not contain, and why.
struct Absence {
    folder: &'static str,
    extensions: &'static [&'static str],
    words: &'static [&'static str],
    reason: &'static str,
}

const RUST: &[&str] = &["rs"];
const PAGES: &[&str] = &["js", "html", "css", "svg"];

const CLOCKS: &[&str] = &["SystemTime", "Instant", "Timestamp::now", "Zoned", "UNIX_EPOCH", "std::time", "chrono"];
const OUTSIDE: &[&str] =
    &["std::fs", "std::net", "std::env", "std::process", "std::io", "std::thread", "File", "println", "eprintln"];
const CHANCE: &[&str] = &["rand", "getrandom", "fastrand", "OsRng", "thread_rng", "RandomState", "new_v4", "now_v7"];

const TRANSPORT: &[&str] = &["async_graphql", "actix", "actix_web"];

const ABSENCES: &[Absence] = &[
    Absence { folder: "events/src", extensions: RUST, words: CLOCKS, reason: "times come in as arguments" },
    Absence { folder: "events/src", extensions: RUST, words: OUTSIDE, reason: "events do no I/O" },
    Absence { folder: "events/src", extensions: RUST, words: CHANCE, reason: "seeds and ids come in as arguments" },
    Absence {
        folder: "events/src",
        extensions: RUST,
        words: &["plybook_rules", "plybook_store", "plybook_api"],
        reason: "events know nobody else in the house",
    },
    Absence { folder: "rules/src", extensions: RUST, words: CLOCKS, reason: "the same events give the same positions" },
    Absence { folder: "rules/src", extensions: RUST, words: OUTSIDE, reason: "rules do no I/O" },
    Absence { folder: "rules/src", extensions: RUST, words: CHANCE, reason: "what is drawn comes in as an argument" },
    Absence {
        folder: "rules/src",
        extensions: RUST,
        words: &["f32", "f64"],
        reason: "floats differ between machines and have no canonical JSON",
    },
    Absence {
        folder: "rules/src",
        extensions: RUST,
        words: &["HashMap", "HashSet"],
        reason: "results must not depend on the order of a hash map",
    },
    Absence {
        folder: "rules/src",
        extensions: RUST,
        words: &["async", "await", "tokio", "Future"],
        reason: "rules are computed at once",
    },
    Absence {
        folder: "rules/src",
        extensions: RUST,
        words: &["plybook_store", "plybook_api", "sled"],
        reason: "rules know no store",
    },
    Absence {
        folder: "rules/src",
        extensions: RUST,
        words: &["std::{"],
        reason: "grouped imports would hide the modules named above",
    },
    Absence {
        folder: "rules/tournaments/src",
        extensions: RUST,
        words: CLOCKS,
        reason: "the same history gives the same pairing and standings",
    },
    Absence { folder: "rules/tournaments/src", extensions: RUST, words: OUTSIDE, reason: "tournaments do no I/O" },
    Absence {
        folder: "rules/tournaments/src",
        extensions: RUST,
        words: CHANCE,
        reason: "what is drawn comes in as an argument",
    },
    Absence {
        folder: "rules/tournaments/src",
        extensions: RUST,
        words: &["f32", "f64"],
        reason: "points and figures are integers on every machine",
    },
    Absence {
        folder: "rules/tournaments/src",
        extensions: RUST,
        words: &["HashMap", "HashSet"],
        reason: "results must not depend on the order of a hash map",
    },
    Absence {
        folder: "rules/tournaments/src",
        extensions: RUST,
        words: &["plybook_rules", "plybook_store", "plybook_api", "sled", "tokio", "async"],
        reason: "tournaments know events and nobody else",
    },
    Absence { folder: "rules/wasm/src", extensions: RUST, words: CLOCKS, reason: "a browser's clock judges nothing" },
    Absence { folder: "rules/wasm/src", extensions: RUST, words: OUTSIDE, reason: "requests go in, answers come out" },
    Absence { folder: "rules/wasm/src", extensions: RUST, words: CHANCE, reason: "nothing is drawn in a browser" },
    Absence {
        folder: "events/src",
        extensions: RUST,
        words: &["std::{"],
        reason: "grouped imports would hide the modules named above",
    },
    Absence { folder: "store/tlog/src", extensions: RUST, words: CLOCKS, reason: "times come in as arguments" },
    Absence {
        folder: "store/tlog/src",
        extensions: RUST,
        words: OUTSIDE,
        reason: "the transparency log's tree does no I/O",
    },
    Absence {
        folder: "store/tlog/src",
        extensions: RUST,
        words: CHANCE,
        reason: "the seeds of keys come in as arguments",
    },
    Absence {
        folder: "store/src",
        extensions: RUST,
        words: &["plybook_rules", "plybook_api", "Replay", "AnyPosition::act"],
        reason: "the store cannot interpret a game",
    },
    Absence {
        folder: "store/src",
        extensions: RUST,
        words: &["graphql", "async_graphql", "GraphQL", "actix", "actix_web"],
        reason: "the store does not know who asks",
    },
    Absence {
        folder: "rules/src/games",
        extensions: RUST,
        words: &["register_kinds"],
        reason: "the product's list of games is fixed when it is compiled",
    },
    Absence {
        folder: "api",
        extensions: RUST,
        words: &["register_kinds"],
        reason: "the product's list of games is fixed when it is compiled",
    },
    Absence {
        folder: "api/models/src",
        extensions: RUST,
        words: TRANSPORT,
        reason: "read models do not know who asks",
    },
    Absence {
        folder: "api/service/src",
        extensions: RUST,
        words: TRANSPORT,
        reason: "what is recorded, and who may do and learn what, is the same over every transport",
    },
    Absence {
        folder: "api/service/src/load",
        extensions: RUST,
        words: &["plybook_models", "plybook_rules", "plybook_store", "crate::access", "crate::Service", "crate::{"],
        reason: "what work costs does not depend on what it is",
    },
    Absence {
        folder: "api/http/src",
        extensions: RUST,
        words: &["plybook_service::Service", "plybook_service::{"],
        reason: "the transport serves any schema",
    },
    Absence {
        folder: "web-viewer",
        extensions: PAGES,
        words: &["innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "srcdoc", "eval", "new Function"],
        reason: "data never becomes markup or code",
    },
    Absence {
        folder: "web-viewer",
        extensions: PAGES,
        words: &["http://", "https://", "src=\"//", "href=\"//"],
        reason: "nothing is loaded from elsewhere",
    },
];

/// Exceptions: names that look like addresses but are not, and a policy's word for compiling the rules.
const HARMLESS: [&str; 5] = [
    "http://www.w3.org/2000/svg",
    "http://www.w3.org/1999/xlink",
    "http://192.168.1.20:8080",
    "'wasm-unsafe-eval'",
    // A record's analysis, which is no part of the game, has them.
    "fn visit_f64<E>(self, value: f64)",
];

/// The members of the workspace, and the other members that each may depend on.
const ROOMS: [(&str, &[&str]); 18] = [
    ("events", &[]),
    ("rules", &["plybook-events"]),
    ("rules/tournaments", &["plybook-events"]),
    ("rules/wasm", &["plybook-events", "plybook-rules"]),
    ("store", &["plybook-events", "plybook-stream", "plybook-tlog"]),
    ("store/stream", &["plybook-events"]),
    ("store/tlog", &["plybook-events"]),
    (
        "api",
        &[
            "plybook-events",
            "plybook-generator",
            "plybook-http",
            "plybook-models",
            "plybook-rules",
            "plybook-schema",
            "plybook-service",
            "plybook-store",
            "plybook-tlog",
            "plybook-tournaments",
            "plybook-viewer",
        ],
    ),
    ("api/http", &["plybook-events", "plybook-service", "plybook-viewer"]),
    (
        "api/schema",
        &[
            "plybook-events",
            "plybook-http",
            "plybook-models",
            "plybook-rules",
            "plybook-service",
            "plybook-store",
            "plybook-tlog",
            "plybook-tournaments",
            "plybook-viewer",
        ],
    ),
    (
        "api/service",
        &[
            "plybook-events",
            "plybook-generator",
            "plybook-models",
            "plybook-rules",
            "plybook-store",
            "plybook-tlog",
            "plybook-tournaments",
        ],
    ),
    ("api/viewer", &["plybook-events", "plybook-rules", "plybook-service"]),
    ("api/generator", &["plybook-events", "plybook-rules", "plybook-store"]),
    ("api/models", &["plybook-events", "plybook-generator", "plybook-rules", "plybook-store", "plybook-tournaments"]),
    (
        "tests",
        &[
            "plybook-api",
            "plybook-events",
            "plybook-example",
            "plybook-generator",
            "plybook-models",
            "plybook-rules",
            "plybook-store",
            "plybook-tests-rules",
            "plybook-tlog",
            "plybook-tournaments",
        ],
    ),
    ("tests/example", &["plybook-events", "plybook-rules"]),
    ("tests/lab", &["plybook-api", "plybook-events", "plybook-generator", "plybook-rules"]),
    ("tests/rules", &["plybook-events", "plybook-example", "plybook-rules"]),
];

/// All external dependencies of events and rules. Adding one needs a decision.
const PURE: [(&str, &[&str]); 5] = [
    (
        "events",
        &["const-hex", "ed25519-dalek", "hmac", "itoa", "jiff", "serde", "serde_json", "sha2", "thiserror", "uuid"],
    ),
    ("rules", &["serde", "serde_json", "serde_path_to_error", "strsim", "thiserror"]),
    ("rules/wasm", &["serde", "serde_json", "thiserror"]),
    ("store/tlog", &["base64", "ct-merkle", "ed25519-dalek", "sha2", "thiserror"]),
    ("rules/tournaments", &["csv", "integer-blossom", "jiff", "quick-xml", "serde", "serde_json", "thiserror"]),
];

/// The modules of the store, from the ground up: each imports only those before it.
const STORE: [&str; 19] = [
    "disk",
    "entry",
    "lock",
    "memory",
    "operator",
    "priority",
    "database",
    "history",
    "keyspace",
    "model_files",
    "journal",
    "personal",
    "vault",
    "shared",
    "open_error",
    "log",
    "tlog",
    "store",
    "backup",
];

const FOLDERS: [&str; 8] = [".ci", "api", "docs", "events", "rules", "store", "tests", "web-viewer"];

#[test]
fn declared_absences_hold() {
    let mut found = Vec::new();
    for absence in ABSENCES {
        let code = code_of(absence.folder, absence.extensions);
        for line in &code {
            let text = HARMLESS.iter().fold(line.text.clone(), |text, harmless| text.replace(harmless, ""));
            for word in absence.words.iter().filter(|word| names(&text, word)) {
                found.push(format!("{line}: `{word}`, but {}", absence.reason));
            }
        }
    }
    assert!(found.is_empty(), "\n{}", found.join("\n"));
}

#[test]
fn the_service_knows_no_game() {
    let mut found = Vec::new();
    // A style sheet may style the marks in the scenes of one game.
    let viewer = code_of("web-viewer", &["js", "html"]);
    let api = ["http/src", "models/src", "schema/src", "service/src/access"]
        .map(|folder| code_of(&format!("api/{folder}"), RUST));
    // `web-viewer/rules/build` writes a list of what it has built; translations have the words of the rules, such as `thrones`.
    let allowed = ["web-viewer/rules/modules.js", "words/de/terms.js", "words/he/terms.js"];
    let written = |line: &&Line| !allowed.iter().any(|file| line.path.ends_with(file));
    for line in viewer.iter().filter(written).chain(api.iter().flatten()) {
        for rules in kinds() {
            let about = rules.about();
            if [about.kind, about.title].iter().any(|name| names(&line.text, name)) {
                found.push(format!(
                    "{line}: names {}, but what is to be known of a game comes from the rules",
                    about.kind
                ));
            }
        }
    }
    assert!(found.is_empty(), "\n{}", found.join("\n"));
}

#[test]
fn every_class_of_a_scene_has_a_style() {
    let styles = code_of("web-viewer", &["css"]);
    let styled: BTreeSet<&str> = styles
        .iter()
        .filter(|line| line.text.contains(".scene") || line.text.starts_with(".seat-"))
        .flat_map(|line| classes_of(&line.text))
        .collect();
    let shared = SHARED.iter().map(|class| ("every game", class.name));
    let own = kinds().iter().chain([&HEAPS]).flat_map(|rules| {
        let kind = rules.about().kind;
        rules.classes().iter().map(move |class| (kind, class.name))
    });
    let missing: Vec<_> = shared.chain(own).filter(|(_, name)| !styled.contains(name)).collect();
    assert!(missing.is_empty(), "no style sheet of web-viewer has a rule for {missing:?}");
}

/// The pages of the viewer, GraphQL, which has a schema of its own, and what a witness serves, which C2SP describes.
const NOT_IN_OPENAPI: [&str; 25] = [
    "/add-checkpoint",
    "/{origin}/checkpoint",
    "/graphql",
    "/graphiql",
    "/service-worker.js",
    "/static/bundles/{hash}/{file}",
    "/static/{path}",
    "/games/new",
    "/games/{log}",
    "/games/{log}/beside",
    "/embed/{log}",
    "/record/{log}",
    "/players",
    "/players/{id}",
    "/ratings",
    "/about",
    "/rules/{kind}",
    "/search",
    "/statistics",
    "/tournaments",
    "/tournaments/new",
    "/tournaments/{id}",
    "/tournaments/{id}/organise",
    "/table",
    "/",
];

#[test]
fn openapi_has_every_route_that_is_no_page() {
    let document = std::fs::read_to_string(top().join("api/openapi.json")).expect("the document is there");
    let document: serde_json::Value = serde_json::from_str(&document).expect("it is JSON");
    let paths = document["paths"].as_object().expect("it has paths");
    let code = code_of("api", RUST);
    // The document has no patterns for what a parameter may contain.
    let called = code
        .iter()
        .flat_map(|line| ["route(\"/", "page(\"/", "resource(\"/"].map(|call| line.text.split_once(call)))
        .filter_map(|found| Some(&found?.1[..found?.1.find('"')?]));
    let assets = std::fs::read_to_string(top().join("api/http/src/pages/assets.rs")).expect("the pages are there");
    let table =
        assets.split_once("pub const PAGES").and_then(|(_, rest)| rest.split_once("];")).expect("and their table").0;
    let listed = table.split("(\"/").skip(1).filter_map(|rest| Some(&rest[..rest.find('"')?]));
    let routes: BTreeSet<String> = called.chain(listed).map(|path| path.replace(":.*}", "}")).collect();
    let pages: BTreeSet<String> = NOT_IN_OPENAPI.iter().map(|path| path[1..].to_owned()).collect();
    let described: BTreeSet<String> = paths.keys().map(|path| path[1..].to_owned()).collect();
    assert_eq!(routes.difference(&pages).cloned().collect::<BTreeSet<_>>(), described);
    assert!(pages.is_subset(&routes), "no page that is gone: {pages:?}");
    assert_eq!(document["info"]["version"], env!("CARGO_PKG_VERSION"));
}

#[test]
fn the_viewer_needs_no_build() {
    let tools = ["package.json", "tsconfig.json", "node_modules", "webpack.config.js", "vite.config.js"];
    for tool in tools {
        assert!(!top().join("web-viewer").join(tool).exists(), "web-viewer/{tool}: the viewer has no build step");
    }
    let mut modules = 0;
    for line in code_of("web-viewer", &["js"]) {
        let text = line.text.trim();
        let Some(from) = text.strip_prefix("import ").or_else(|| text.strip_prefix("} from ")) else { continue };
        let from = from.rsplit_once("from ").map_or(from, |(_, from)| from);
        modules += 1;
        let is_own = from.starts_with(['\'', '"']) && from[1..].starts_with(['.', '/']) || from.ends_with(['{', ',']);
        assert!(is_own, "{line}: modules are imported by their path: {text}");
    }
    assert!(modules > 0, "the viewer consists of modules");
}

#[test]
fn members_depend_only_on_members_below() {
    for (room, allowed) in ROOMS {
        for Dependency { name, .. } in dependencies(room) {
            let is_room = name.starts_with("plybook-");
            assert!(!is_room || allowed.contains(&name.as_str()), "{room} must not depend on {name}");
        }
    }
    let meeting: Vec<_> = ROOMS
        .iter()
        .map(|(room, _)| *room)
        .filter(|room| {
            let names: BTreeSet<_> = dependencies(room).into_iter().map(|dependency| dependency.name).collect();
            names.contains("plybook-rules") && names.contains("plybook-store")
        })
        .collect();
    assert_eq!(
        meeting,
        ["api", "api/schema", "api/service", "api/generator", "api/models", "tests"],
        "rules and store meet in api, and where all is tested"
    );
}

#[test]
fn modules_of_the_store_import_only_those_below() {
    let module = |line: &Line| {
        let path = line.path.strip_prefix(top().join("store/src")).expect("it is there");
        Path::new(path.iter().next().expect("a file has a name")).with_extension("").display().to_string()
    };
    let floor = |name: &str| STORE.iter().position(|module| *module == name);
    let is_tested = |line: &Line| !line.path.ends_with("tests.rs") && !line.path.ends_with("lib.rs");
    for line in code_of("store/src", RUST).into_iter().filter(is_tested) {
        let own = floor(&module(&line)).unwrap_or_else(|| panic!("{line}: on which floor is this module?"));
        let Some((_, names)) = line.text.split_once("crate::") else { continue };
        for name in names.trim_matches(['{', '}', ';']).split(',') {
            let name = name.trim().split([':', ';', ')', '>']).next().unwrap_or_default();
            assert!(floor(name).is_some_and(|floor| floor <= own), "{line}: {name} is no module below");
            if !names.starts_with('{') {
                break;
            }
        }
    }
}

#[test]
fn events_and_rules_depend_on_little() {
    for (room, allowed) in PURE {
        for Dependency { name, line, is_dev } in dependencies(room) {
            let is_known = name.starts_with("plybook-") || is_dev || allowed.contains(&name.as_str());
            assert!(is_known, "{room} depends on {name}: is it free of clocks, chance and I/O?");
            let has_extras = ["jiff", "uuid"].contains(&name.as_str()) && !line.contains("default-features = false");
            assert!(!has_extras, "{room}: {name} brings clocks or chance with its default features");
        }
    }
}

#[test]
fn the_root_contains_the_members_and_nothing_else() {
    let listed = Command::new("git").arg("ls-files").current_dir(top()).output().expect("git can be run");
    assert!(listed.status.success(), "git ls-files: {}", String::from_utf8_lossy(&listed.stderr));
    let listed = String::from_utf8(listed.stdout).expect("paths are UTF-8");
    let folders: BTreeSet<_> = listed.lines().filter_map(|path| Some(path.split_once('/')?.0)).collect();
    assert_eq!(folders, BTreeSet::from(FOLDERS));
}
