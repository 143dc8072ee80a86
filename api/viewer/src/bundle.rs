//! Modules of the viewer as one script, and its style sheets as one.
//!
//! No JavaScript is parsed. Modules are read line by line, and all keep to a form:
//!
//! - `import { a, b as d } from './c.js';` has a line of its own, and nothing else begins a line with `import`.
//! - `export` begins a line, before a function, a class or a `const` of one name.
//! - `import('./c.js')` and `import.meta.url` are the only other uses of `import`.
//! - Nothing is awaited outside functions.
//!
//! In the script, each module is a function that returns what the module exports; `base/modules.js` calls it when the module
//! is first used.

use std::collections::{BTreeMap, BTreeSet};

use crate::files::Files;
use crate::language::Language;

/// What every script begins with.
const PREAMBLE: &str = "base/modules.js";

/// What a module may export, as it begins.
const DECLARATIONS: [&str; 6] = ["function ", "const ", "class ", "async function ", "function* ", "async function* "];

/// Why modules cannot be put together.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unreadable {
    /// Write the line in the form that the module's documentation gives.
    #[error("{path}: cannot be put into a script as it is written: {line}")]
    Form {
        /// The module.
        path: String,
        /// The line.
        line: String,
    },
    /// Correct the path where it is imported or linked.
    #[error("there is no file {0}")]
    Absent(String),
}

/// Modules put together.
#[derive(Debug)]
pub struct Script {
    /// What is loaded first: the modules that it begins with, and all that they import.
    pub text: String,
    /// The scripts of modules that are imported later, by their paths; without what the first script has.
    pub later: BTreeMap<String, String>,
}

impl Script {
    /// A script in `language` that is served as `name`, and begins with the modules `entries`, in this order. The modules `ahead`
    /// are in it too, for when they are imported later.
    ///
    /// # Errors
    /// A file is missing, or not in the form of this module's documentation.
    pub fn of(name: &str, entries: &[String], ahead: &[String], language: Language) -> Result<Self, Unreadable> {
        let mut modules = Modules { language, read: BTreeMap::new() };
        let first = modules.with_imports(entries.iter().chain(ahead), &BTreeSet::new())?;
        let mut text = code(&file(PREAMBLE)?);
        modules.write(&first, &mut text);
        for entry in entries {
            text.push_str(&format!("$use('{entry}');\n"));
        }
        let known: BTreeSet<String> = first.iter().cloned().collect();
        let mut later = BTreeMap::new();
        let mut left = modules.imported_later(&first);
        while let Some(path) = left.pop_first() {
            if known.contains(&path) || later.contains_key(&path) {
                continue;
            }
            let own = modules.with_imports([&path], &known)?;
            let mut text = format!("import {{ $define, $use, $later, $url }} from './{name}';\n");
            modules.write(&own, &mut text);
            left.extend(modules.imported_later(&own));
            later.insert(path, text);
        }
        Ok(Self { text, later })
    }

    /// A script with all that `entry` imports, now or later.
    ///
    /// # Errors
    /// As for [`Script::of`].
    pub fn whole(entry: &str, language: Language) -> Result<String, Unreadable> {
        let mut ahead = Vec::new();
        loop {
            let Self { text, later } = Self::of("", &[entry.to_owned()], &ahead, language)?;
            if later.is_empty() {
                return Ok(text);
            }
            ahead.extend(later.into_keys());
        }
    }
}

/// What the head of a page links, by paths in the viewer. Each link has a line of its own.
#[derive(Debug, PartialEq, Eq)]
pub struct Links {
    /// Its style sheets.
    pub styles: Vec<String>,
    /// The modules that the page begins with.
    pub entries: Vec<String>,
    /// Modules that it imports later, but certainly.
    pub ahead: Vec<String>,
}

/// How a link begins and ends, for each sort of them in the order of [`Links`].
pub const FORMS: [(&str, &str); 3] = [
    ("<link rel=\"stylesheet\" href=\"/static/", "\">"),
    ("<script type=\"module\" src=\"/static/", "\"></script>"),
    ("<link rel=\"modulepreload\" href=\"/static/", "\">"),
];

impl Links {
    /// The links of a page.
    pub fn of(page: &str) -> Self {
        let [styles, entries, ahead] = FORMS.map(|(before, after)| {
            let path = |line: &str| Some(line.strip_prefix(before)?.strip_suffix(after)?.to_owned());
            page.lines().filter_map(path).collect()
        });
        Self { styles, entries, ahead }
    }
}

/// Style sheets as one, in this order.
///
/// # Errors
/// One of them is missing.
pub fn style<'a>(paths: impl IntoIterator<Item = &'a str>) -> Result<String, Unreadable> {
    paths.into_iter().map(|path| Ok(format!("/* {path} */\n{}", without_comments(&file(path)?)))).collect()
}

/// Without the comments that have lines of their own, and without indentation: a third of the viewer.
pub fn without_comments(text: &str) -> String {
    lines(text).map(str::trim_start).collect()
}

/// The modules read so far.
struct Modules {
    /// That of the tables of words.
    language: Language,
    /// By the paths that are imported.
    read: BTreeMap<String, Module>,
}

/// A module as it is written into a script.
#[derive(Debug)]
struct Module {
    text: String,
    imports: Vec<String>,
    later: BTreeSet<String>,
}

impl Modules {
    /// `paths` and all that they import, except `known`; whatever is imported comes first.
    fn with_imports<'a>(
        &mut self,
        paths: impl IntoIterator<Item = &'a String>,
        known: &BTreeSet<String>,
    ) -> Result<Vec<String>, Unreadable> {
        let (mut found, mut seen) = (Vec::new(), known.clone());
        for path in paths {
            self.gather(path, &mut found, &mut seen)?;
        }
        Ok(found)
    }

    fn gather(&mut self, path: &str, found: &mut Vec<String>, seen: &mut BTreeSet<String>) -> Result<(), Unreadable> {
        if !seen.insert(path.to_owned()) {
            return Ok(());
        }
        if !self.read.contains_key(path) {
            let own = self.language.file(path);
            self.read.insert(path.to_owned(), Module::read(&own, &file(&own)?)?);
        }
        for import in self.read[path].imports.clone() {
            self.gather(&import, found, seen)?;
        }
        found.push(path.to_owned());
        Ok(())
    }

    fn imported_later(&self, paths: &[String]) -> BTreeSet<String> {
        paths.iter().flat_map(|path| self.read[path].later.iter().cloned()).collect()
    }

    fn write(&self, paths: &[String], text: &mut String) {
        for path in paths {
            text.push_str(&format!("// {path}\n$define('{path}', () => {{\n{}}});\n", self.read[path].text));
        }
    }
}

impl Module {
    fn read(path: &str, source: &str) -> Result<Self, Unreadable> {
        let folder = path.rsplit_once('/').map_or("", |(folder, _)| folder);
        let (mut text, mut exports) = (String::new(), Vec::new());
        let (mut imports, mut later) = (Vec::new(), BTreeSet::new());
        for line in lines(source) {
            let misformed = || Unreadable::Form { path: path.to_owned(), line: line.trim().to_owned() };
            if let Some((names, specifier)) = import(line) {
                let imported = joined(folder, specifier);
                text.push_str(&format!("const {{ {} }} = $use('{imported}');\n", names.replace(" as ", ": ")));
                imports.push(imported);
                continue;
            }
            let line = without_inline_comments(line);
            let mut rest = line.as_str();
            if let Some(declaration) = rest.strip_prefix("export ") {
                exports.push(declared(declaration).ok_or_else(misformed)?.to_owned());
                rest = declaration;
            }
            if ["import ", "import{", "export", "await "].iter().any(|word| rest.starts_with(word)) {
                return Err(misformed());
            }
            let mut rest = rest.trim_start().replace("import.meta.url", &format!("$url('{path}')"));
            while let Some((before, after)) = rest.split_once("import(") {
                let specifier = after.strip_prefix('\'').and_then(|after| after.split_once("')"));
                let (specifier, after) = specifier.filter(|(path, _)| path.starts_with('.')).ok_or_else(misformed)?;
                let imported = joined(folder, specifier);
                rest = format!("{before}$later('{imported}'){after}");
                later.insert(imported);
            }
            if rest.contains("import.meta") {
                return Err(misformed());
            }
            text.push_str(&rest);
        }
        text.push_str(&format!("return {{ {} }};\n", exports.join(", ")));
        Ok(Self { text, imports, later })
    }
}

/// The names and the path of a line that imports.
fn import(line: &str) -> Option<(&str, &str)> {
    let (names, specifier) = line.strip_prefix("import { ")?.split_once(" } from '")?;
    let specifier = specifier.trim_end().strip_suffix("';")?;
    let is_import =
        |name: &str| name.split_once(" as ").map_or(is_name(name), |(name, own)| is_name(name) && is_name(own));
    (specifier.starts_with('.') && names.split(", ").all(is_import)).then_some((names, specifier))
}

/// The name that a declaration gives.
fn declared(declaration: &str) -> Option<&str> {
    let rest = DECLARATIONS.iter().find_map(|word| declaration.strip_prefix(word))?;
    let end = rest.find([' ', '(']).unwrap_or(rest.len());
    Some(&rest[..end]).filter(|name| is_name(name))
}

fn is_name(name: &str) -> bool {
    !name.is_empty() && name.chars().all(|letter| letter.is_ascii_alphanumeric() || letter == '_')
}

/// The path of a file that another one names, from its folder.
fn joined(folder: &str, specifier: &str) -> String {
    let mut parts: Vec<&str> = folder.split('/').filter(|part| !part.is_empty()).collect();
    for part in specifier.split('/') {
        match part {
            "." => {}
            ".." => drop(parts.pop()),
            part => parts.push(part),
        }
    }
    parts.join("/")
}

/// The lines of a text that are neither empty nor part of a comment that has lines of its own.
fn lines(text: &str) -> impl Iterator<Item = &str> {
    let mut is_inside = false;
    text.split_inclusive('\n').filter(move |line| {
        let line = line.trim();
        let is_comment = is_inside || line.starts_with("//") || line.starts_with("/*") && ends_comment(line);
        is_inside = (is_inside || line.starts_with("/*")) && !line.contains("*/");
        !is_comment && !is_inside && !line.is_empty()
    })
}

/// Whether nothing follows the comment that a line begins with.
fn ends_comment(line: &str) -> bool {
    line.find("*/").is_none_or(|end| end + "*/".len() == line.len())
}

/// A module's code, without comments.
fn code(text: &str) -> String {
    lines(text).map(|line| without_inline_comments(line).trim_start().to_owned()).collect()
}

/// A line without types and other documentation, which may name imports too.
fn without_inline_comments(line: &str) -> String {
    let (mut kept, mut rest) = (String::new(), line);
    while let Some((before, (_, after))) =
        rest.split_once("/** ").and_then(|(before, comment)| Some((before, comment.split_once("*/")?)))
    {
        kept.push_str(before);
        rest = after.strip_prefix(' ').unwrap_or(after);
    }
    kept + rest
}

/// A file of the viewer.
fn file(path: &str) -> Result<String, Unreadable> {
    Files::text(path).ok_or_else(|| Unreadable::Absent(path.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn module(source: &str) -> Result<String, Unreadable> {
        Module::read("model/x.js", source).map(|module| module.text)
    }

    #[test]
    fn every_module_keeps_to_the_form() {
        let apart = ["base/service-worker.js", "base/first.js", "standalone/unpack.js", "pages/graphiql.js", PREAMBLE];
        let is_script = |path: &str| path.rsplit_once('.').is_some_and(|(_, ending)| ending == "js");
        let is_module = |path: &str| is_script(path) && !path.starts_with("vendor/") && !apart.contains(&path);
        let paths: Vec<String> = Files::paths().filter(|path| is_module(path)).collect();
        assert!(paths.len() > 150, "{}", paths.len());
        for path in paths {
            let source = Files::text(&path).expect("it is listed");
            let module = Module::read(&path, &source).unwrap_or_else(|why| panic!("{why}"));
            for imported in module.imports.iter().chain(&module.later) {
                assert!(Files::get(imported).is_some(), "{path} imports {imported}");
            }
            assert!(!module.text.contains("/**"), "{path} has a comment that ends on another line than its code");
            for word in ["$define(", "$later =", "$use ="] {
                assert!(!source.contains(word), "{path} has {word}");
            }
        }
    }

    #[test]
    fn modules_become_functions() {
        let source = "// A module.\n\nimport { a, b as other } from '../base/a.js';\n/** @type {import('./c.js').C} */ let c = null;\n\
                      export async function* d(e) {\n  return /** @type {any} */ (await import('./f.js'));\n}\n\
                      export const G = import.meta.url;\n/**\n * export class H\n */\nexport class H {}\n";
        let expected = "const { a, b: other } = $use('base/a.js');\nlet c = null;\nasync function* d(e) {\n\
                        return (await $later('model/f.js'));\n}\nconst G = $url('model/x.js');\nclass H {}\nreturn { d, G, H };\n";
        assert_eq!(module(source).expect("it keeps to the form"), expected);
    }

    #[test]
    fn other_forms_are_refused() {
        for line in [
            "import a from './a.js';",
            "import * as a from './a.js';",
            "import { a as b as c } from './a.js';",
            "import { a as } from './a.js';",
            "import './a.js';",
            "import {",
            "import { a } from 'elsewhere';",
            "export default a;",
            "export { a };",
            "export * from './a.js';",
            "export let a = 1;",
            "export const { a } = b;",
            "await a();",
            "const a = await import(`./${b}.js`);",
            "a = import('elsewhere');",
            "a = import.meta.resolve('./a.js');",
        ] {
            let form = Unreadable::Form { path: "model/x.js".to_owned(), line: line.to_owned() };
            assert_eq!(module(&format!("{line}\n")), Err(form), "{line}");
        }
    }

    #[test]
    fn what_comes_later_has_only_what_is_not_there() {
        let [game, live, asking] = ["pages/game.js", "base/live.js", "replay/asking.js"].map(str::to_owned);
        let script =
            Script::of("x.js", std::slice::from_ref(&game), &[], Language::English).expect("the viewer is in form");
        let defined = |text: &str, path: &str| text.matches(&format!("\n// {path}\n$define('{path}', ")).count();
        assert_eq!((defined(&script.text, &game), defined(&script.text, "base/api.js")), (1, 1));
        assert!(script.text.ends_with("$use('pages/game.js');\n"), "it begins with what the page names");
        assert_eq!(defined(&script.text, &asking), 0);
        let later = &script.later[&asking];
        assert!(later.starts_with("import { $define, $use, $later, $url } from './x.js';\n"), "{later}");
        assert_eq!(defined(later, &asking), 1);
        assert_eq!(defined(later, "replay/requests/analysing.js"), 1, "what it imports comes with it");
        assert_eq!(defined(later, "base/api.js"), 0, "unless the page has it");
        let ahead = Script::of("x.js", &[game], std::slice::from_ref(&asking), Language::English)
            .expect("the viewer is in form");
        assert_eq!((defined(&ahead.text, &asking), ahead.later.contains_key(&asking)), (1, false));
        let whole = Script::whole("pages/game.js", Language::English).expect("the viewer is in form");
        assert_eq!((defined(&whole, &asking), defined(&whole, &live)), (1, 1));
        assert_eq!(
            Script::whole("base/none.js", Language::English),
            Err(Unreadable::Absent("base/none.js".to_owned()))
        );
    }

    #[test]
    fn a_script_has_the_words_of_one_language() {
        for language in Language::ALL {
            let [entry] = ["words/locale.js"].map(str::to_owned);
            let script = Script::of("x.js", &[entry], &[], language).expect("the viewer is in form");
            let expected = format!(
                "\n// words/language.js\n$define('words/language.js', () => {{\nconst LANGUAGE = '{}';\nreturn {{ LANGUAGE }};\n}});\n",
                language.code()
            );
            assert!(script.text.contains(&expected), "{language:?}");
            assert_eq!(script.text.matches("LANGUAGE = ").count(), 1);
        }
    }

    #[test]
    fn whatever_is_imported_comes_first() {
        let script = Script::whole("pages/game.js", Language::English).expect("the viewer is in form");
        let mut known = BTreeSet::new();
        for line in script.lines() {
            if let Some((path, _)) = line.strip_prefix("$define('").and_then(|rest| rest.split_once('\'')) {
                assert!(known.insert(path), "{path} is there once");
            } else if let Some((_, rest)) = line.split_once("} = $use('") {
                let path = rest.trim_end_matches("');");
                assert!(known.contains(path), "{path}");
            }
        }
    }

    #[test]
    fn paths_are_joined() {
        assert_eq!(joined("replay/view", "../../base/dom.js"), "base/dom.js");
        assert_eq!(joined("", "./a.js"), "a.js");
    }

    #[test]
    fn only_comments_that_have_lines_of_their_own_go() {
        let text = "// one\na; // two\n  /* three */\n/**\n * four\n */\n/** five */ b;\n\n  c;\n";
        assert_eq!(without_comments(text), "a; // two\n/** five */ b;\nc;\n");
    }
}
