//! Pages, each with one style sheet and one script, in each language.

use std::collections::BTreeMap;
use std::io::Write;
use std::sync::{Arc, Mutex};

use bytes::Bytes;
use flate2::Compression;
use flate2::write::GzEncoder;
use plybook_events::Hash;

use super::bundle::{FORMS, Links, Script, Unreadable, style};
use super::files::Files;
use super::language::Language;

/// The page for frames: the replay with a style sheet of its own, and nothing that only a page of ours can do.
pub const EMBED: &str = "embed";

/// What takes the fewest bytes that browsers unpack without more memory than usual.
const ZSTD_LEVEL: i32 = 19;

/// How many digits of the hash of its contents the address of a file has.
const DIGITS: usize = 32;

/// The pages made so far, by name and language.
static MADE: Mutex<BTreeMap<(String, Language), Arc<Page>>> = Mutex::new(BTreeMap::new());

/// A page of the viewer, and what it loads from an address that changes with its contents.
pub struct Page {
    /// With the head, the header and the footer that all pages share.
    pub html: String,
    /// Of the contents of all files.
    hash: String,
    /// By name.
    files: BTreeMap<String, File>,
}

/// A file, compressed once.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct File {
    /// As it is.
    pub plain: Bytes,
    /// A sixth smaller than with gzip.
    pub zstd: Bytes,
    /// For browsers from before 2024, and Safari.
    pub gzip: Bytes,
}

impl Page {
    /// The page of this name in `language`. A development build looks for changes each time, and logs why a page cannot be made.
    pub fn of(name: &str, language: Language) -> Option<Arc<Self>> {
        let made = || MADE.lock().expect("nothing panics while pages are looked up");
        let known = made().get(&(name.to_owned(), language)).cloned();
        if known.is_some() && !cfg!(debug_assertions) {
            return known;
        }
        let html = language.filled(&html(name)?)?;
        let files = named(name, language);
        let links = Links::of(&html);
        let contents = Contents::of(&files, &links, language);
        let contents = contents.inspect_err(|why| tracing::error!(%why, name, "a page cannot be made")).ok()?;
        let hash = contents.hash();
        let html = linked(&html, &format!("bundles/{hash}/{files}"));
        if let Some(known) = known.filter(|known| known.hash == hash && known.html == html) {
            return Some(known);
        }
        let page = Arc::new(Self { html, hash, files: contents.compressed() });
        made().insert((name.to_owned(), language), Arc::clone(&page));
        Some(page)
    }

    /// The file of this address: `NAME.css`, `NAME.js` or `NAME.FOLDER.MODULE.js`, and `NAME-de` instead of `NAME` in German.
    /// None if the page has no such file now.
    pub fn file(hash: &str, file: &str) -> Option<File> {
        let (name, _) = file.split_once('.')?;
        let other = name.rsplit_once('-').and_then(|(name, code)| Some((name, Language::parse(code)?)));
        let (name, language) = other.unwrap_or((name, Language::English));
        Self::of(name, language).filter(|page| page.hash == hash)?.files.get(file).cloned()
    }
}

impl File {
    fn of(text: String) -> Self {
        const MEMORY: &str = "writing to memory succeeds";
        let mut gzip = GzEncoder::new(Vec::new(), Compression::best());
        gzip.write_all(text.as_bytes()).expect(MEMORY);
        let zstd = zstd::encode_all(text.as_bytes(), ZSTD_LEVEL).expect(MEMORY);
        Self { zstd: zstd.into(), gzip: gzip.finish().expect(MEMORY).into(), plain: text.into() }
    }
}

/// The texts of a page's files, by name.
struct Contents(BTreeMap<String, String>);

impl Contents {
    fn of(name: &str, links: &Links, language: Language) -> Result<Self, Unreadable> {
        let script = Script::of(&format!("{name}.js"), &links.entries, &links.ahead, language)?;
        let later = script.later.into_iter().map(|(path, text)| (format!("{name}.{}", path.replace('/', ".")), text));
        let first = [
            (format!("{name}.css"), style(links.styles.iter().map(String::as_str))?),
            (format!("{name}.js"), script.text),
        ];
        Ok(Self(first.into_iter().chain(later).collect()))
    }

    fn hash(&self) -> String {
        let parts: Vec<[&[u8]; 4]> =
            self.0.iter().map(|(name, text)| [name.as_bytes(), b"\0", text.as_bytes(), b"\0"]).collect();
        Hash::of_parts(parts.as_flattened()).to_string()[..DIGITS].to_owned()
    }

    fn compressed(self) -> BTreeMap<String, File> {
        self.0.into_iter().map(|(name, text)| (name, File::of(text))).collect()
    }
}

/// What the files of a page are called.
fn named(name: &str, language: Language) -> String {
    if language == Language::English { name.to_owned() } else { format!("{name}-{}", language.code()) }
}

/// A page with the head, the header and the footer that all pages share, its words not filled in yet.
fn html(name: &str) -> Option<String> {
    let own = if name == EMBED { "game" } else { name };
    let page = Files::text(&format!("pages/{own}.html"))?;
    let [head, header, footer] = ["head", "header", "footer"].map(|part| Files::text(&format!("base/{part}.html")));
    let html = page.replace("<!-- head -->\n", &head?).replace("<!-- header -->\n", &header?);
    let framed = "<link rel=\"stylesheet\" href=\"/static/replay/embed.css\">\n\
                  <link rel=\"modulepreload\" href=\"/static/replay/view/embedded.js\">\n<body class=\"embed\">\n";
    Some(if name == EMBED { html.replace("<body>\n", framed) } else { html + &footer? })
}

/// A page that links one file of each sort, at `address` in the viewer, instead of its own.
fn linked(html: &str, address: &str) -> String {
    let [style, entry, ahead] = FORMS;
    let (mut text, mut linked) = (String::with_capacity(html.len()), Vec::new());
    for line in html.split_inclusive('\n') {
        let form =
            [(style, "css"), (entry, "js"), (ahead, "")].into_iter().find(|((before, _), _)| line.starts_with(before));
        let Some(((before, after), ending)) = form else {
            text.push_str(line);
            continue;
        };
        if !ending.is_empty() && !linked.contains(&ending) {
            text.push_str(&format!("{before}{address}.{ending}{after}\n"));
            linked.push(ending);
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use std::io::Read;

    use flate2::read::GzDecoder;

    use super::*;

    fn names() -> Vec<String> {
        let name = |path: String| Some(path.strip_prefix("pages/")?.strip_suffix(".html")?.to_owned());
        // The query editor has a head of its own.
        Files::paths().filter_map(name).filter(|name| name != "graphiql").chain([EMBED.to_owned()]).collect()
    }

    #[test]
    fn every_page_has_one_style_sheet_and_one_script() {
        assert!(names().len() > 15);
        let all = names().into_iter().flat_map(|name| Language::ALL.map(|language| (name.clone(), language)));
        for (page_name, language) in all {
            let page = Page::of(&page_name, language).expect("it is listed");
            let name = named(&page_name, language);
            let links = Links::of(&page.html);
            let address = format!("bundles/{}/{name}", page.hash);
            assert!(!page.html.contains("{{"), "{name} has a key without a word");
            assert!(page.html.contains(&format!("<html lang=\"{}\" dir=\"", language.code())), "{name}");
            assert_eq!(links.styles, [format!("{address}.css")], "{name}");
            assert_eq!(links.entries, [format!("{address}.js")], "{name}");
            assert!(links.ahead.is_empty(), "{name}");
            for (file, content) in &page.files {
                assert_eq!(zstd::decode_all(&content.zstd[..]).expect("it is whole"), content.plain);
                let mut text = Vec::new();
                GzDecoder::new(&content.gzip[..]).read_to_end(&mut text).expect("it is whole");
                assert_eq!(text, content.plain);
                assert_eq!(Page::file(&page.hash, file).as_ref(), Some(content));
                assert_eq!(Page::file(&"0".repeat(DIGITS), file), None, "another version");
            }
            assert_eq!(Page::file(&page.hash, &format!("{name}.none.js")), None);
        }
        assert_eq!(Page::file("", "none.js"), None);
        assert_eq!(Page::file("", "none-de.js"), None);
        assert_eq!(Page::file("", "../base/head.js"), None);
    }
}
