//! What other sites and messengers show of a link to a page: <https://ogp.me>.

use super::language::escaped;
use super::picture::{HEIGHT, WIDTH};

/// What the title of every page ends with.
const SITE: &str = "Plybook";

/// What other sites show of a link to a page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Preview {
    /// What the page is about, without the name of the service.
    pub title: String,
    /// A sentence or two; may be empty.
    pub description: String,
    /// The address of the page within the service, with what makes it another page.
    pub address: String,
    /// A picture of it, if there is one.
    pub image: Option<PreviewImage>,
}

/// A picture of [`WIDTH`] × [`HEIGHT`] pixels.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PreviewImage {
    /// Its address within the service.
    pub address: String,
    /// What can be seen in it.
    pub alt: String,
}

impl Preview {
    /// Of a page that says by itself what it is.
    pub fn of(path: &str, html: &str) -> Self {
        let (_, title, _) = parts(html, TITLE).unwrap_or_default();
        let (_, description, _) = parts(html, DESCRIPTION).unwrap_or_default();
        let title = title.strip_suffix(&format!(" · {SITE}")).unwrap_or(title);
        Self { title: plain(title), description: plain(description), address: path.to_owned(), image: None }
    }

    /// The lines of a page's head.
    fn tags(&self, site: &str) -> String {
        let Self { title, description, address, image } = self;
        let mut tags = format!("<title>{} · {SITE}</title>\n", escaped(title));
        if !description.is_empty() {
            tags.push_str(&format!("<meta name=\"description\" content=\"{}\">\n", escaped(description)));
        }
        let mut add = |property: &str, content: &str| {
            tags.push_str(&format!("<meta property=\"{property}\" content=\"{}\">\n", escaped(content)));
        };
        add("og:site_name", SITE);
        add("og:type", "website");
        add("og:title", title);
        if !description.is_empty() {
            add("og:description", description);
        }
        add("og:url", &format!("{site}{address}"));
        if let Some(PreviewImage { address, alt }) = image {
            add("og:image", &format!("{site}{address}"));
            add("og:image:type", "image/png");
            add("og:image:width", &WIDTH.to_string());
            add("og:image:height", &HEIGHT.to_string());
            add("og:image:alt", alt);
        }
        let card = if image.is_some() { "summary_large_image" } else { "summary" };
        tags.push_str(&format!("<meta name=\"twitter:card\" content=\"{card}\">\n"));
        tags
    }
}

/// What is before and after the text of an element on a line of its own.
type Form = (&'static str, &'static str);

const TITLE: Form = ("<title>", "</title>\n");
const DESCRIPTION: Form = ("<meta name=\"description\" content=\"", "\">\n");

/// A page with its preview, in the place of its own title and description. Without a title, a page stays as it is.
pub fn previewed(html: &str, preview: &Preview, site: &str) -> String {
    let bare = match parts(html, DESCRIPTION) {
        Some((before, _, after)) => format!("{before}{after}"),
        None => html.to_owned(),
    };
    match parts(&bare, TITLE) {
        Some((before, _, after)) => format!("{before}{}{after}", preview.tags(site)),
        None => bare,
    }
}

fn parts(html: &str, (begin, end): Form) -> Option<(&str, &str, &str)> {
    let (before, rest) = html.split_once(begin)?;
    let (inside, after) = rest.split_once(end)?;
    Some((before, inside, after))
}

/// A text of a page, as it was before it was escaped.
fn plain(text: &str) -> String {
    text.replace("&lt;", "<").replace("&quot;", "\"").replace("&amp;", "&")
}

#[cfg(test)]
mod tests {
    use super::*;

    const PAGE: &str = "<meta charset=\"utf-8\">\n<meta name=\"description\" content=\"Games &amp; more\">\n\
                        <title>Games · Plybook</title>\n<body>\n";

    #[test]
    fn a_page_says_what_is_shown_of_it() {
        let site = "https://example.org/play";
        let own = Preview::of("/", PAGE);
        assert_eq!((own.title.as_str(), own.description.as_str()), ("Games", "Games & more"));
        let page = previewed(PAGE, &own, site);
        for line in [
            "<title>Games · Plybook</title>",
            "<meta name=\"description\" content=\"Games &amp; more\">",
            "<meta property=\"og:title\" content=\"Games\">",
            "<meta property=\"og:url\" content=\"https://example.org/play/\">",
            "<meta name=\"twitter:card\" content=\"summary\">",
        ] {
            assert_eq!(page.matches(&format!("{line}\n")).count(), 1, "{line} in\n{page}");
        }
        assert!(page.ends_with("<body>\n") && !page.contains("og:image"));
    }

    #[test]
    fn names_are_text() {
        let site = "https://example.org";
        let preview = Preview {
            title: "\"><script>".to_owned(),
            description: String::new(),
            address: "/games/x?ply=1&line=y".to_owned(),
            image: Some(PreviewImage { address: "/games/x.png".to_owned(), alt: "<b>".to_owned() }),
        };
        let page = previewed(PAGE, &preview, site);
        assert!(page.contains("<title>&quot;>&lt;script> · Plybook</title>"), "{page}");
        assert!(page.contains("og:url\" content=\"https://example.org/games/x?ply=1&amp;line=y\""), "{page}");
        assert!(
            page.contains("og:image\" content=\"https://example.org/games/x.png\"")
                && page.contains("summary_large_image")
        );
        assert!(!page.contains("<script") && !page.contains("description"), "{page}");
        assert_eq!(previewed("nothing", &preview, site), "nothing");
    }
}
