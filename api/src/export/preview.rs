//! What other sites show of a link to a page about a game, a tournament or a player.

use std::collections::BTreeMap;
use std::sync::Arc;

use plybook_events::{LogId, Outcome};
use plybook_http::Site;
use plybook_models::Summary;
use plybook_rules::log::Status;
use plybook_service::{Service, find_kind};
use plybook_viewer::language::Language;
use plybook_viewer::preview::{Preview, PreviewImage};
use url::form_urlencoded;

/// A title names so many players; of more, it says how many there are.
const NAMED_MAX: usize = 4;

/// A site whose pages say what other sites show of a link to them.
#[must_use]
pub fn with_previews(site: Site, service: &Arc<Service>) -> Site {
    let service = Arc::clone(service);
    site.with_previews(move |path, query, language| preview(&service, path, query, language))
}

/// The preview of a page, by its path and query; none if it is about nothing recorded here. Only what is in memory is asked.
fn preview(service: &Service, path: &str, query: &str, language: Language) -> Option<Preview> {
    let words = Words(language.words()?);
    let mut parts = path.trim_matches('/').split('/');
    let (folder, id, view) = (parts.next()?, parts.next()?.parse::<LogId>().ok()?, parts.next());
    match (folder, view) {
        ("games", None | Some("beside" | "strip")) | ("embed", None) => words.of_game(service, id, path, query),
        ("tournaments", None) => {
            let tournament = service.models().known().tournaments.get(id).cloned()?;
            let kind = title_of(&tournament.settings.kind);
            Some(Preview {
                title: format!("{} · {kind}", tournament.settings.name),
                description: words.of("tournament.about", ""),
                address: path.to_owned(),
                image: None,
            })
        }
        ("players", None) => {
            let player = service.models().known().players.get(id).cloned()?;
            let title = player.profile.name.clone();
            Some(Preview {
                description: words.of("player.about", &title),
                title,
                address: path.to_owned(),
                image: None,
            })
        }
        _ => None,
    }
}

/// What stands in pages as they are served.
struct Words(BTreeMap<String, String>);

impl Words {
    /// A sentence, with `{what}` in it filled in.
    fn of(&self, key: &str, what: &str) -> String {
        self.0.get(key).map_or(String::new(), |sentence| sentence.replace("{what}", what))
    }

    fn of_game(&self, service: &Service, id: LogId, path: &str, query: &str) -> Option<Preview> {
        let models = service.models();
        let known = models.known();
        let page = known.games.get(id)?;
        let asked = |name: &str| form_urlencoded::parse(query.as_bytes()).find(|(given, _)| given == name);
        let line = asked("line").and_then(|(_, line)| known.games.get(line.parse().ok()?));
        let line = line.filter(|line| line.root == page.root && line.id != page.id);
        let shown = line.as_ref().unwrap_or(&page);
        let root = known.games.get(shown.root)?;
        let last = shown.standing.ply;
        let ply = asked("ply").and_then(|(_, ply)| ply.parse::<u32>().ok()).filter(|ply| *ply <= last);

        let names: Vec<&str> = root.seats.iter().map(|seat| seat.name.as_str()).collect();
        let players = match names.get(..NAMED_MAX) {
            Some(first) if names.len() > NAMED_MAX => format!("{} … ({})", first.join(" – "), names.len()),
            _ => names.join(" – "),
        };
        let game = format!("{players} · {}", title_of(&root.kind));
        let is_line = shown.fork.is_some();
        let name = shown.standing.name.clone().unwrap_or_else(|| self.of("preview.line", ""));
        let title = if is_line { format!("{name} · {game}") } else { game };
        let at = self.of("preview.ply", &ply.unwrap_or(last).to_string());
        // Who links to a ply may not want to tell how the game ends.
        let result = (!is_line && ply.is_none_or(|ply| ply == last)).then(|| self.result(&root, &names));
        let chosen = [line.as_ref().map(|line| format!("line={}", line.id)), ply.map(|ply| format!("ply={ply}"))];
        let chosen: Vec<String> = chosen.into_iter().flatten().collect();
        let search = if chosen.is_empty() { String::new() } else { format!("?{}", chosen.join("&")) };
        let picture = ply.map_or(String::new(), |ply| format!("?ply={ply}"));
        Some(Preview {
            description: result.into_iter().chain([at.clone()]).collect::<Vec<_>>().join(" · "),
            image: Some(PreviewImage {
                address: format!("/games/{}.png{picture}", shown.id),
                alt: format!("{title} · {at}"),
            }),
            title,
            address: format!("{path}{search}"),
        })
    }

    fn result(&self, game: &Summary, names: &[&str]) -> String {
        match game.standing.status() {
            Status::Running => self.of("filter.running", ""),
            Status::Void => self.of("filter.void", ""),
            Status::Finished => {
                let winners = game.standing.outcome().map_or(&[][..], |outcome| &outcome.winners);
                let winners = winners.iter().filter_map(|seat| names.get(usize::from(*seat).checked_sub(1)?).copied());
                let winners: Vec<&str> = winners.collect();
                if game.standing.outcome().is_some_and(Outcome::is_forfeit) {
                    self.of("preview.lost", "")
                } else if winners.is_empty() {
                    self.of("preview.drawn", "")
                } else {
                    self.of("preview.won", &winners.join(", "))
                }
            }
        }
    }
}

/// What a kind of game is called.
fn title_of(kind: &str) -> String {
    find_kind(kind).map_or(kind, |rules| rules.about().title).to_owned()
}
