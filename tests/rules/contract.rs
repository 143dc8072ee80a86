//! The contract of the traits beyond their types, and the files that every game must have.

use plybook_events::{Actor, Outcome};
use plybook_rules::repetition::REPETITION;
use plybook_rules::scene::{SHARED, Scene, Shape};
use plybook_rules::setup::PLAYERS;
use plybook_rules::{About, AnyPosition, Class, Rules, Teams, Viewer};
use serde_json::{Map, Value, json};

use crate::data::{Failure, shown, top};
use crate::numbers::{self, Numbers, PLIES};

/// The number of actions after which a game must be over if nothing happens in it except submissions for
/// absent seats.
const ABSENT_MAX: usize = 10_000;

/// The mean width of a letter in a common sans-serif font, in hundredths of the font size.
const LETTER: i32 = 55;

/// The chapters that a game's page has.
const CHAPTERS: [&str; 3] = ["## Rulings", "## Position", "## Measures"];

/// Everything that is missing, by name.
pub fn check(rules: &dyn Rules) -> Vec<Failure> {
    let kind = rules.about().kind;
    let start = |setup: &Value| rules.start(&rules.complete(setup, &mut |_| 0).ok()?).ok();
    let found = [
        facts(rules),
        page(rules),
        schema(rules),
        players(rules.about(), &rules.setup_schema(), |setup| Some(start(setup)?.teams())),
        declared(rules),
        absent(rules),
    ];
    let found = found.into_iter().flatten();
    found.map(|why| format!("{kind}: {why}")).chain(files(rules)).collect()
}

/// The default game agrees with the facts.
fn facts(rules: &dyn Rules) -> Vec<Failure> {
    let about = rules.about();
    let mut failures = Vec::new();
    let is_name = |name: &str| {
        let is_part = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
        name.starts_with(|first: char| first.is_ascii_lowercase()) && name.chars().all(is_part)
    };
    if !is_name(about.kind) {
        failures.push(format!("{:?} is no kind: small letters, digits and hyphens", about.kind));
    }
    if [about.version, about.title, about.designer, about.source].contains(&"") {
        failures.push("`ABOUT` leaves something empty".to_owned());
    }
    match rules.complete(&json!({}), &mut |_| 0).and_then(|setup| rules.start(&setup)) {
        Err(why) => failures.push(format!("the default setup {{}} is refused: {why}")),
        Ok(start) if !(about.seats_min..=about.seats_max).contains(&start.seats()) => {
            failures.push(format!("the default game has {} seats, which `ABOUT` excludes", start.seats()));
        }
        Ok(_) => {}
    }
    failures
}

/// The game's page has its chapters.
fn page(rules: &dyn Rules) -> Vec<Failure> {
    let document = rules.about().document;
    let missing = CHAPTERS.iter().filter(|chapter| !document.lines().any(|line| line.starts_with(**chapter)));
    missing.map(|chapter| format!("its README.md has no chapter `{chapter}`")).collect()
}

/// The schema names the members of a complete setup.
fn schema(rules: &dyn Rules) -> Vec<Failure> {
    let schema = rules.setup_schema();
    let ways = schema["oneOf"].as_array().into_iter().flatten();
    let members: Map<String, Value> =
        [&schema].into_iter().chain(ways).filter_map(|way| way["properties"].as_object().cloned()).flatten().collect();
    let mut failures = Vec::new();
    let setup = rules.complete(&json!({}), &mut |_| 0).unwrap_or_default();
    for name in setup.as_object().into_iter().flat_map(Map::keys).filter(|name| !members.contains_key(*name)) {
        failures.push(format!("its schema of setups does not name `{name}`, which a complete setup has"));
    }
    let undescribed = members.iter().filter(|(_, member)| !member["description"].is_string());
    failures.extend(undescribed.map(|(name, _)| format!("its schema of setups does not describe `{name}`")));
    failures
}

/// Where games differ in the number of seats, the member `players` says how many there are, and who is whose partner does not
/// depend on it: a tournament has tables of every size.
pub fn players(about: &About, schema: &Value, teams: impl Fn(&Value) -> Option<Teams>) -> Vec<Failure> {
    let of = |seats: u8| teams(&json!({ PLAYERS: seats })).filter(|teams| teams.seats() == seats);
    let (least, most) = (about.seats_min, about.seats_max);
    if least == most {
        return Vec::new();
    }
    let mut failures = Vec::new();
    let (found, listed) = ((least..=most).filter_map(of), schema["properties"][PLAYERS]["enum"].as_array());
    let played: Vec<Teams> = found.collect();
    let numbers: Vec<u8> = played.iter().map(|teams| teams.seats()).collect();
    if numbers.first() != Some(&least) || numbers.last() != Some(&most) {
        let why = "`ABOUT` says how many seats a game has, and a setup does by its member";
        failures.push(format!("{why} `{PLAYERS}`: from {least} to {most}, not {numbers:?}"));
    }
    let offered = |seats: &u8| listed.is_none_or(|listed| listed.contains(&json!(seats)));
    if !(least..=most).filter(offered).eq(numbers.iter().copied()) {
        failures.push(format!("its schema lists other numbers of `{PLAYERS}` than {numbers:?}, which can be played"));
    }
    if let [fewer @ .., full] = &played[..] {
        let differ = |fewer: &&Teams| {
            let mut seats = (1..=fewer.seats()).flat_map(|one| (1..=fewer.seats()).map(move |other| (one, other)));
            seats.any(|(one, other)| fewer.are_partners(one, other) != full.are_partners(one, other))
        };
        failures.extend(fewer.iter().find(differ).map(|fewer| {
            let [fewer, full] = [fewer, full].map(|teams| (teams.seats(), teams.groups()));
            let why = "partners must have the same seats at every table";
            format!("{why}: with {} seats they are {:?}, with {} {:?}", fewer.0, fewer.1, full.0, full.1)
        }));
    }
    failures
}

/// Each class is declared once, and described.
fn declared(rules: &dyn Rules) -> Vec<Failure> {
    let is_declared = |classes: &[Class], name: &str| classes.iter().any(|class| class.name == name);
    let mut failures = Vec::new();
    for (index, Class { name, description }) in rules.classes().iter().enumerate() {
        if is_declared(SHARED, name) {
            failures.push(format!("`CLASSES` declares `{name}`, which all games share"));
        }
        if is_declared(&rules.classes()[..index], name) {
            failures.push(format!("`CLASSES` declares `{name}` twice"));
        }
        if name.is_empty() || name.contains(' ') || description.is_empty() {
            failures.push(format!("`CLASSES` declares {name:?} as {description:?}: a word and what it stands for"));
        }
    }
    failures
}

/// If submissions are made for absent seats, a game comes to its end through these alone.
fn absent(rules: &dyn Rules) -> Vec<Failure> {
    let mut numbers = Numbers::new("absent", rules.about().kind, 0);
    let Ok(setup) = numbers::setup(rules, 0, &mut numbers) else { return Vec::new() };
    let Ok(mut position) = rules.start(&setup) else { return Vec::new() };
    let is_there = position.absent(1).is_some();
    for _ in 0..if is_there { ABSENT_MAX } else { PLIES } {
        let Some(actor) = numbers.actor(position.as_ref()) else { return Vec::new() };
        let seats = 1..=position.seats();
        if let Some(seat) = seats.into_iter().find(|seat| position.absent(*seat).is_some() != is_there) {
            let [at, start] = if is_there { ["nothing", "an action"] } else { ["an action", "nothing"] };
            return vec![format!(
                "`absent` of seat {seat} gives {at} in {}, and of seat 1 {start} at the start",
                position.to_json(Viewer::All)
            )];
        }
        let action = match actor {
            Actor::Seat(seat) if is_there => position.absent(seat).expect("it was there"),
            _ => numbers.action(position.as_ref(), actor),
        };
        if let Err(why) = position.act(actor, &action) {
            return vec![format!("`absent` of {actor} is {action}, which is refused: {why}")];
        }
    }
    if !is_there {
        return Vec::new();
    }
    vec![format!("it is not over after {ABSENT_MAX} actions of absent seats")]
}

/// Files besides those that are read by other checks.
fn files(rules: &dyn Rules) -> Vec<Failure> {
    let data = top().join("tests/data").join(rules.about().kind);
    let figures = data.join("figures.py");
    let mut failures = Vec::new();
    if !figures.exists() {
        let why = "no such file; it has to compute the measures of the game independently";
        failures.push(format!("{}: {why}, see docs/adding-a-game.md", shown(&figures)));
    }
    failures
}

/// Properties of every action: no list of actions reads the word in another way.
pub fn action(action: &str) -> Result<(), Failure> {
    let is_word = !action.is_empty() && action.bytes().all(|byte| byte.is_ascii_graphic());
    if !is_word {
        return Err(format!("{action:?} is no word of ASCII letters"));
    }
    match action.split_once(':') {
        Some((start, _)) if start == "chance" || start.bytes().all(|byte| byte.is_ascii_digit()) => {
            Err(format!("{action:?} begins like an action of a seat or of chance in a list of actions"))
        }
        _ => Ok(()),
    }
}

/// A reason is not that of the option that every kind has, unless the setup has it.
pub fn reason(setup: &Value, reason: &str) -> Result<(), Failure> {
    let is_taken = reason == REPETITION && setup.get(REPETITION).is_none();
    let why = format!("the game ends for the reason {reason:?}, as with the option `{REPETITION}`: use another word");
    if is_taken { Err(why) } else { Ok(()) }
}

/// Winners and ranks are seats, in order, and whole teams.
pub fn outcome(outcome: &Outcome, teams: Teams) -> Result<(), Failure> {
    let is_seat = |seat: &u8| (1..=teams.seats()).contains(seat);
    let is_group = |group: &[u8]| group.is_sorted() && group.iter().all(is_seat);
    if let Some(team) = teams.divided(outcome) {
        return Err(format!("seats {team:?} are partners, and do not win or share a place together: {outcome:?}"));
    }
    if !is_group(&outcome.winners) {
        return Err(format!("the winners are {:?}", outcome.winners));
    }
    let Some(ranking) = &outcome.ranking else { return Ok(()) };
    let mut ranked: Vec<u8> = ranking.concat();
    ranked.sort_unstable();
    if !ranking.iter().all(|group| is_group(group)) || !ranked.is_sorted_by(|one, other| one < other) {
        return Err(format!("the ranking is {ranking:?}"));
    }
    Ok(())
}

/// The complete position can be read back, and nothing in it is ignored.
pub fn exact(rules: &dyn Rules, position: &dyn AnyPosition) -> Result<(), Failure> {
    let mut json = position.to_json(Viewer::All);
    let members = json.as_object_mut().ok_or("a position is a JSON object")?;
    members.insert("extra member".to_owned(), Value::Null);
    match rules.position(&json) {
        Ok(_) => Err(format!("{json} is read, although it has a member too many")),
        Err(_) => Ok(()),
    }
}

/// Every class of every item is declared.
pub fn classes(rules: &dyn Rules, scene: &Scene) -> Result<(), Failure> {
    let is_declared = |name: &str| SHARED.iter().chain(rules.classes()).any(|class| class.name == name);
    for item in &scene.items {
        if let Some(name) = item.class.split(' ').find(|name| !is_declared(name)) {
            let why = "neither the game's `CLASSES` nor `scene::SHARED` declares";
            return Err(format!("an item has the class {name:?}, which {why}: {item:?}"));
        }
    }
    Ok(())
}

/// Texts lie within the view, as far as can be told without their font.
pub fn texts(scene: &Scene) -> Result<(), Failure> {
    let [left, top, width, height] = scene.view;
    for item in &scene.items {
        let Shape::Text { at: [x, y], size, text } = &item.shape else { continue };
        let half = text.chars().count() as i32 * size * LETTER / 200;
        let is_inside = x - half >= left && x + half <= left + width && *y >= top && *y <= top + height;
        if !is_inside {
            return Err(format!("the text {text:?} at {:?} sticks out of the view {:?}", [x, y], scene.view));
        }
    }
    Ok(())
}
