//! A tournament's files over HTTP: `/tournaments/{id}/files/{name}`.

use actix_web::http::header::{
    CONTENT_DISPOSITION, CONTENT_SECURITY_POLICY, CONTENT_TYPE, CROSS_ORIGIN_RESOURCE_POLICY,
};
use actix_web::{HttpRequest, HttpResponse, web};
use plybook_events::LogId;
use plybook_http::EMBEDDED_POLICY;
use plybook_service::Service;
use plybook_service::error::Problem;
use plybook_tournaments::crosstable::CROSSTABLE_MAX;
use plybook_tournaments::files;
use plybook_tournaments::log::Tournament;
use plybook_tournaments::trf::{TrfProblem, Version};
use plybook_viewer::language::Language;
use serde::Deserialize;

use super::tournament_page::TournamentPage;
use super::work::{public_url, refused, work};

const HTML: &str = "text/html; charset=utf-8";

/// The names of the files, with their types.
const FILES: [(&str, &str); 11] = [
    ("entrants.csv", "text/csv; charset=utf-8"),
    ("standings.csv", "text/csv; charset=utf-8"),
    ("crosstable.csv", "text/csv; charset=utf-8"),
    ("progress.csv", "text/csv; charset=utf-8"),
    ("pairings.csv", "text/csv; charset=utf-8"),
    ("standings.html", HTML),
    ("pairings.html", HTML),
    ("report.trf", "text/plain; charset=utf-8"),
    ("report-trf16.trf", "text/plain; charset=utf-8"),
    ("rounds.ics", "text/calendar; charset=utf-8"),
    ("results.atom", "application/atom+xml; charset=utf-8"),
];

/// The price of a file, in units. The real cost is charged afterwards.
const FILE_UNITS: u64 = 10_000;

/// The requested part of a tournament.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct FileQuery {
    /// The round of the pairings, or the round after which the standings are; the last one if missing.
    round: Option<u32>,
    /// The language of a page, `en` by default.
    lang: Option<String>,
}

/// One file of a tournament, in its public form.
pub(super) async fn file(
    request: HttpRequest,
    service: web::Data<Service>,
    path: web::Path<(String, String)>,
) -> HttpResponse {
    let service = service.into_inner();
    let (id, name) = path.into_inner();
    let Some((name, media)) = FILES.into_iter().find(|(known, _)| *known == name) else {
        let names = FILES.map(|(name, _)| name).join(", ");
        return refused(&Problem::NotFound(format!("there is no such file; there are {names}")));
    };
    let query = match web::Query::<FileQuery>::from_query(request.query_string()) {
        Ok(query) => query.into_inner(),
        Err(why) => return refused(&Problem::BadInput(format!("`round` is the number of a round: {why}"))),
    };
    let site = public_url(&request);
    let made = work(&request, FILE_UNITS, move || {
        let id: LogId = id.parse().map_err(|_| Problem::no_tournament(&*id))?;
        let tournament = service.tournament(id)?.tournament();
        let paired = tournament.rounds.len() as u32;
        if let Some(round) = query.round.filter(|round| *round > paired) {
            return Err(Problem::NotFound(format!("round {round} is not paired: there are {paired}")));
        }
        if media == HTML {
            let language = query.lang.as_deref().and_then(Language::parse).unwrap_or_default();
            return TournamentPage::new(&tournament, &site.to_string(), language).text(name, query.round);
        }
        text(&tournament, name, query.round, &format!("{site}/tournaments/{id}"))
    });
    match made.await {
        Ok(body) => {
            let disposition = format!("attachment; filename=\"{name}\"");
            let mut answer = HttpResponse::Ok();
            answer.insert_header((CONTENT_TYPE, media));
            if media == HTML {
                // Other sites show it in frames.
                answer.insert_header((CONTENT_SECURITY_POLICY, EMBEDDED_POLICY));
                answer.insert_header((CROSS_ORIGIN_RESOURCE_POLICY, "cross-origin"));
            } else if media.starts_with("text/") {
                answer.insert_header((CONTENT_DISPOSITION, disposition));
            }
            answer.body(body)
        }
        Err(refusal) => refusal,
    }
}

fn text(tournament: &Tournament, name: &str, round: Option<u32>, page: &str) -> Result<String, Problem> {
    let after = round.unwrap_or_else(|| tournament.last_played());
    let made = match name {
        "standings.csv" => files::standings_csv(tournament, after),
        "progress.csv" => files::progress_csv(tournament, after),
        "crosstable.csv" if tournament.entrants.len() > CROSSTABLE_MAX => {
            return Err(Problem::BadInput(format!(
                "a crosstable has at most {CROSSTABLE_MAX} entrants; progress.csv has the same games by rounds"
            )));
        }
        "crosstable.csv" => files::crosstable_csv(tournament, after),
        "pairings.csv" => {
            let round = round.unwrap_or(tournament.rounds.len() as u32);
            let found = files::pairings_csv(tournament, round);
            return found.ok_or_else(|| Problem::NotFound(format!("round {round} is not paired")));
        }
        "report.trf" => return files::report(tournament, Version::Trf26).map_err(|why| unsaid(&why)),
        "report-trf16.trf" => return files::report(tournament, Version::Trf16).map_err(|why| unsaid(&why)),
        "rounds.ics" => Ok(files::calendar(tournament, page)),
        "results.atom" => Ok(files::feed(tournament, page, &format!("{page}/files/results.atom"))),
        _ => Ok(files::entrants_csv(tournament)),
    };
    made.map_err(Problem::internal)
}

fn unsaid(why: &TrfProblem) -> Problem {
    Problem::BadInput(format!("a report file cannot hold this tournament: {why}"))
}
