//! The details of a player, validated.

use plybook_events::Timestamp;
use plybook_rules::log::NAME_CHARS_MAX;
use plybook_tournaments::files;
use url::Url;

use crate::error::Problem;
use crate::write::check_name;

/// The most links of a player, and the most characters of one.
const LINKS_MAX: usize = 8;
const LINK_CHARS_MAX: usize = 500;

/// The countries: two letters each, as in ISO 3166-1.
const COUNTRIES: &str = "\
    AD AE AF AG AI AL AM AO AQ AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ BR BS BT BV BW BY BZ \
    CA CC CD CF CG CH CI CK CL CM CN CO CR CU CV CW CX CY CZ DE DJ DK DM DO DZ EC EE EG EH ER ES ET FI FJ FK FM FO \
    FR GA GB GD GE GF GG GH GI GL GM GN GP GQ GR GS GT GU GW GY HK HM HN HR HT HU ID IE IL IM IN IO IQ IR IS IT JE \
    JM JO JP KE KG KH KI KM KN KP KR KW KY KZ LA LB LC LI LK LR LS LT LU LV LY MA MC MD ME MF MG MH MK ML MM MN MO \
    MP MQ MR MS MT MU MV MW MX MY MZ NA NC NE NF NG NI NL NO NP NR NU NZ OM PA PE PF PG PH PK PL PM PN PR PS PT PW \
    PY QA RE RO RS RU RW SA SB SC SD SE SG SH SI SJ SK SL SM SN SO SR SS ST SV SX SY SZ TC TD TF TG TH TJ TK TL TM \
    TN TO TR TT TV TW TZ UA UG UM US UY UZ VA VC VE VG VI VN VU WF WS YE YT ZA ZM ZW";

/// The highest age, in years.
const AGE_MAX: u16 = 120;

/// Changes to the details of a player: each is kept, removed or replaced.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Details {
    /// The name, which cannot be removed.
    pub name: Change<String>,
    /// The club.
    pub club: Change<String>,
    /// The country, a code of ISO 3166-1.
    pub country: Change<String>,
    /// All links from now on, if they change.
    pub links: Option<Vec<String>>,
    /// The year of birth, which is stored where it can be erased.
    pub year_of_birth: Change<u16>,
}

/// What happens to a detail.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Change<T> {
    /// It is kept.
    #[default]
    Keep,
    /// It is removed.
    Clear,
    /// It is replaced by this.
    To(T),
}

impl<T> Change<T> {
    /// The new value, if there is one.
    pub(super) fn some(self) -> Option<T> {
        match self {
            Self::To(value) => Some(value),
            Self::Keep | Self::Clear => None,
        }
    }

    fn checked(self, check: impl FnOnce(T) -> Result<T, Problem>) -> Result<Self, Problem> {
        match self {
            Self::To(value) => check(value).map(Self::To),
            other => Ok(other),
        }
    }
}

impl Change<String> {
    /// The value in an event, where an empty text means none.
    pub(super) fn or_empty(self) -> Option<String> {
        match self {
            Self::Keep => None,
            Self::Clear => Some(String::new()),
            Self::To(text) => Some(text),
        }
    }
}

impl Details {
    /// A name, and nothing else.
    pub fn named(name: &str) -> Self {
        Self { name: Change::To(name.to_owned()), ..Self::default() }
    }

    /// Checks every detail and normalises it: texts trimmed, codes in capitals, links as browsers write them.
    ///
    /// # Errors
    /// A detail is invalid; the text says what would be right.
    pub(super) fn checked(self, now: Timestamp) -> Result<Self, Problem> {
        if self.name == Change::Clear {
            return Err(Problem::BadInput("a player has a name".to_owned()));
        }
        let this_year = now.to_string()[..4].parse().expect("a timestamp begins with a year");
        Ok(Self {
            name: self.name.checked(|name| check_name(&name))?,
            club: self.club.checked(|club| check_club(&club))?,
            country: self.country.checked(|code| check_country(&code))?,
            links: self.links.map(check_links).transpose()?,
            year_of_birth: self.year_of_birth.checked(|year| check_year(year, this_year))?,
        })
    }
}

fn check_club(club: &str) -> Result<String, Problem> {
    check_name(club).map_err(|_| {
        Problem::BadInput(format!("`club`: the name of a club has 1 to {NAME_CHARS_MAX} printable characters"))
    })
}

/// Whether a code is that of a country, in capitals.
pub(super) fn is_country(code: &str) -> bool {
    COUNTRIES.split(' ').any(|known| known == code)
}

/// The two letters of a country, in capitals. The three of its federation, such as GER, name it too.
pub(crate) fn check_country(code: &str) -> Result<String, Problem> {
    let country = code.trim().to_ascii_uppercase();
    if is_country(&country) {
        return Ok(country);
    }
    if let Some(country) = files::country(&country).filter(|code| is_country(code)) {
        return Ok(country.to_owned());
    }
    let code: String = code.chars().take(20).collect();
    Err(Problem::BadInput(format!(
        "`country`: {code:?} is not a country: give its two letters in ISO 3166-1, such as SE for Sweden, or the three of its chess federation"
    )))
}

fn check_links(links: Vec<String>) -> Result<Vec<String>, Problem> {
    if links.len() > LINKS_MAX {
        return Err(Problem::BadInput(format!("`links`: a player has at most {LINKS_MAX}")));
    }
    links.into_iter().map(|link| check_link(&link)).collect()
}

fn check_link(link: &str) -> Result<String, Problem> {
    let wrong = |why: &str| {
        let shown: String = link.chars().take(60).collect();
        Problem::BadInput(format!("`links`: {shown:?} {why}"))
    };
    let url = Url::parse(link.trim()).map_err(|_| wrong("is not an address such as https://example.org/ada"))?;
    if url.scheme() != "https" || url.host_str().is_none_or(|host| !host.contains('.')) {
        return Err(wrong("does not begin with https:// and the name of a site"));
    }
    if !url.username().is_empty() || url.password().is_some() {
        return Err(wrong("holds a user name or a password"));
    }
    let url = String::from(url);
    if url.len() > LINK_CHARS_MAX {
        return Err(wrong(&format!("has more than {LINK_CHARS_MAX} characters")));
    }
    Ok(url)
}

fn check_year(year: u16, this_year: u16) -> Result<u16, Problem> {
    let oldest = this_year.saturating_sub(AGE_MAX);
    if (oldest..=this_year).contains(&year) {
        return Ok(year);
    }
    Err(Problem::BadInput(format!("`yearOfBirth` is a year from {oldest} to {this_year}")))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn now() -> Timestamp {
        "2026-11-22T00:00:00.000Z".parse().unwrap()
    }

    fn said(details: Details) -> String {
        details.checked(now()).expect_err("it is invalid").to_string()
    }

    #[test]
    fn details_get_their_one_form() {
        let details = Details {
            name: Change::To("  Zoë  ".to_owned()),
            country: Change::To("se".to_owned()),
            links: Some(vec![" HTTPS://Example.ORG/a b".to_owned()]),
            year_of_birth: Change::To(1990),
            ..Details::default()
        };
        let details = details.checked(now()).unwrap();
        assert_eq!((details.name, details.country), (Change::To("Zoë".to_owned()), Change::To("SE".to_owned())));
        assert_eq!(details.links.unwrap(), ["https://example.org/a%20b"]);
        assert_eq!(check_country(" ger").unwrap(), "DE", "the code of its federation");
    }

    #[test]
    fn refusals_say_what_is_right() {
        let all = Details::default;
        for code in ["XX", "ENG", "", "ß", "S", "SE SI", "🇸🇪"] {
            let country = Change::To(code.to_owned());
            assert!(said(Details { country, ..all() }).contains("ISO 3166-1"), "{code}");
        }
        for link in [
            "http://example.org",
            "javascript:alert(1)",
            "https://",
            "example.org",
            "https://a:b@example.org",
            "https://localhost/",
            &format!("https://example.org/{}", "a".repeat(600)),
        ] {
            let links = Some(vec![link.to_owned()]);
            assert!(said(Details { links, ..all() }).starts_with("`links`: "), "{link}");
        }
        assert!(
            said(Details { links: Some(vec!["https://example.org".to_owned(); 9]), ..all() }).contains("at most 8")
        );
        for year in [0, 1905, 2027, u16::MAX] {
            assert!(said(Details { year_of_birth: Change::To(year), ..all() }).contains("from 1906 to 2026"));
        }
        assert!(said(Details { name: Change::Clear, ..all() }).contains("has a name"));
        assert!(said(Details { club: Change::To("a\nb".to_owned()), ..all() }).contains("club"));
    }
}
