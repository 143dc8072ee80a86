use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use plybook_events::Event;
use plybook_generator::{GeneratedLog, Plan};
use plybook_rules::kinds;
use plybook_store::{Append, Options, Store};
use roaring::RoaringBitmap;

use super::digested::{DigestedGames, FOLDER};
use super::figures::{FigureColumns, FirstActionSum};
use super::growing::GrowingDigest;
use super::kinds::KindDigests;
use super::model::Digests;
use super::summary::PositionSummary;
use crate::catalogue::{Catalogue, KindGames};
use crate::columns::Scan;
use crate::snapshot::SnapshotFile;

const GAMES: u64 = 70;

/// So few that runs are written often.
const RECENT_VISITS: usize = 500;

/// What is said of positions, by kind and key.
type Answers = BTreeMap<(String, u64), String>;

/// A store with its read models.
struct House {
    digests: Digests,
    catalogue: Arc<Catalogue>,
    store: Store,
}

impl House {
    fn over(store: Store) -> Self {
        let catalogue = Catalogue::open(&store).unwrap();
        let digested = DigestedGames::open_with(&store, RECENT_VISITS).unwrap();
        let digests = Digests::open_with(&store, &catalogue, digested);
        Self { digests, catalogue, store }
    }

    fn at(dir: &Path) -> Self {
        Self::over(Store::open(dir, &Options::DEFAULT, &mut |_, _| ()).unwrap())
    }

    /// Appends events of each log, from `from` to `to` eighths of it.
    fn append(&self, logs: &[GeneratedLog], from: usize, to: usize) {
        for log in logs {
            let eighths = |n: usize| log.events.len() * n / 8;
            let events = log.events[eighths(from)..eighths(to)].to_vec();
            let append = Append { log: log.log, expected: self.store.log().head(log.log), events };
            if !append.events.is_empty() {
                self.store.log().append_together(&[append]).unwrap();
            }
        }
        self.catalogue.save();
        assert_eq!(self.digests.ask().pending, 0);
    }

    /// What was counted, by kind: of each game, and over all of them.
    fn counted(&self) -> Vec<String> {
        let models = self.digests.ask();
        let mut counted = Vec::new();
        for rules in kinds() {
            let kind = rules.about().kind;
            let Some(KindDigests { figures, .. }) = models.kind(kind) else { continue };
            let games: RoaringBitmap = (0..GAMES as u32).filter(|number| figures.has(*number)).collect();
            for number in &games {
                let measures: Vec<_> = figures.measures.iter().map(|measure| measure.get(number)).collect();
                let first = figures.first_action(number).map(|first| &figures.first_actions()[first]);
                let (luck, extremes) = (figures.luck_of(number), RefCell::default());
                figures.may_hold(number, |found| {
                    *extremes.borrow_mut() = found.to_vec();
                    true
                });
                counted.push(format!("{kind} {number} {measures:?} {first:?} {luck:?} {extremes:?}"));
            }
            // Of other games, nothing is known, so they change nothing.
            let (all, each) = ((0..GAMES as u32).collect(), Scan::each(games.clone()));
            let scan = figures.scan(&all);
            assert_eq!(figures.branching.distribution(&scan), figures.branching.distribution(&each));
            for measure in &figures.measures {
                assert_eq!(measure.distribution(&scan), measure.distribution(&each));
            }
            let heats: Vec<_> = (0..rules.heat().len()).map(|heat| figures.heat(heat, &scan)).collect();
            let luck = figures.luck(&scan, |_, _| true);
            counted.push(format!("{kind} {heats:?} {luck:?} {:?}", figures.branching.distribution(&scan)));
            let known = models.known.games.rows().kind(kind).expect("it has games");
            let has_some = known.summed().iter().any(|number| figures.has(number));
            assert!(figures.scan(known.summed()).is_summed() || !has_some, "{kind}: nothing is read of running games");
            counted.extend(first_actions(figures, known));
        }
        counted
    }

    /// Merges all runs that should be merged.
    fn merge(&self) {
        while self.digests.merge() {}
    }

    /// What is said of the first positions of each game, and of a quarter of the others, and what was played in each. If a run is
    /// damaged, it is asked again.
    fn answers(&self, logs: &[GeneratedLog]) -> Answers {
        for _ in 0..100 {
            if let Some(answers) = self.try_answers(logs) {
                return answers;
            }
            assert_eq!(self.digests.ask().pending, 0);
        }
        panic!("a damaged run is never replaced");
    }

    fn try_answers(&self, logs: &[GeneratedLog]) -> Option<Answers> {
        let (mut answers, mut keys) = (Answers::new(), BTreeSet::new());
        for (n, id) in (0..).zip(logs.iter().map(|log| log.log)) {
            let models = self.digests.ask();
            assert_eq!(models.pending, 0);
            drop(models);
            let words = self.digests.words(id);
            answers.insert(("played".to_owned(), n), format!("{words:?}"));
            let kind = self.catalogue.known().games.get(id).map(|game| game.kind.clone());
            let log = self.store.log().read(id, 0).unwrap();
            let events: Vec<Event> = log.iter().map(|bytes| Event::parse(bytes).unwrap()).collect();
            let digest = GrowingDigest::begin(&events.iter().collect::<Vec<_>>())
                .map(GrowingDigest::into_digest)
                .unwrap_or_default();
            let some = digest.keys.iter().enumerate().filter(|(ply, key)| *ply < 4 || *key % 4 == 0);
            keys.extend(kind.iter().flat_map(|kind| some.clone().map(|(_, key)| (kind.clone(), *key))));
        }
        let models = self.digests.ask();
        let thirds = |games: &RoaringBitmap| games.iter().filter(|number| number % 3 == 0).collect();
        let answer = |(kind, key): (String, u64)| {
            let known = models.known.games.rows().kind(&kind).expect("it has games");
            let positions = &models.kind(&kind).expect("its games are counted").positions;
            let all = positions.look(key, known, None, false)?;
            let rated = positions.look(key, known, None, true)?;
            let some = positions.look(key, known, Some(&thirds), true)?;
            let games = positions.games_at(key)?;
            assert_eq!(positions.any_at(key)?.is_some(), !games.is_empty());
            let said = format!("{} | {} | {} | {games:?}", told(&all), told(&rated), told(&some));
            Ok(((kind, key), said))
        };
        match keys.into_iter().map(answer).collect::<std::io::Result<Answers>>() {
            Ok(said) => {
                answers.extend(said);
                Some(answers)
            }
            Err(why) => {
                drop(models);
                self.digests.unreadable(why);
                None
            }
        }
    }
}

/// The sums of the first actions of all games that count equal those of both halves of them.
fn first_actions(figures: &FigureColumns, known: &KindGames) -> Vec<String> {
    let all = known.summed();
    let half = |half: u32| all.iter().filter(|number| number % 2 == half).collect::<RoaringBitmap>();
    let [even, odd] = [half(0), half(1)].map(|games| figures.first_action_sums(&games, known.rows()));
    let sums = figures.first_action_sums(all, known.rows());
    for (all, halves) in sums.iter().zip(even.iter().zip(&odd)) {
        let halves: Vec<&FirstActionSum> = [halves.0, halves.1].into_iter().flatten().collect();
        let Some(all) = all else {
            assert!(halves.is_empty());
            continue;
        };
        assert_eq!(all.games, halves.iter().map(|half| half.games).sum::<u64>());
        assert_eq!(all.results.draws, halves.iter().map(|half| half.results.draws).sum::<u32>());
        assert_eq!(all.last_ms, halves.iter().map(|half| half.last_ms).max().unwrap());
        assert_eq!(all.rated.1, halves.iter().map(|half| half.rated.1).sum::<u32>());
    }
    let told = sums.iter().zip(figures.first_actions()).filter(|(sum, _)| sum.is_some());
    let mut told: Vec<String> = told.map(|(sum, action)| format!("{action:?} {sum:?}")).collect();
    told.sort_unstable();
    told
}

/// Wins without trailing seats that won nothing: sums keep the entry.
pub(super) fn told(seen: &PositionSummary) -> String {
    let wins = |results: &crate::Results| {
        let won = results.wins.iter().enumerate().filter(|(_, wins)| **wins > 0);
        format!("{:?} {} {}", won.collect::<Vec<_>>(), results.draws, results.other)
    };
    let action = |action: &super::ActionSummary| {
        (action.word.clone(), action.games, wins(&action.results), action.last_ms, action.average_rating)
    };
    let actions: Vec<_> = seen.actions.iter().map(action).collect();
    format!("{} {} {actions:?} {:?} {:?}", seen.games, wins(&seen.results), seen.recent, seen.top)
}

fn logs() -> Vec<GeneratedLog> {
    let plan = Plan::new(GAMES, 11, None);
    (0..GAMES).map(|n| plan.game(n).unwrap()).collect()
}

fn assert_same(found: &Answers, expected: &Answers, when: &str) {
    assert!(found.keys().eq(expected.keys()), "{when}: other positions");
    for (at, answer) in expected {
        assert_eq!(&found[at], answer, "{when}: {at:?}");
    }
}

/// What a store says that has everything in memory.
fn expected(logs: &[GeneratedLog], eighths: usize) -> Answers {
    let house = House::over(Store::in_memory().unwrap());
    house.append(logs, 0, eighths);
    house.answers(logs)
}

fn files(dir: &Path) -> Vec<PathBuf> {
    let mut files: Vec<PathBuf> = fs::read_dir(dir).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    files
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for path in files(from) {
        let to = to.join(path.file_name().unwrap());
        if path.is_dir() {
            copy(&path, &to);
        } else {
            fs::copy(&path, to).unwrap();
        }
    }
}

/// The folder of the digests, inside a data directory.
fn folder(dir: &Path) -> PathBuf {
    dir.join("sled").join(FOLDER)
}

#[test]
fn what_is_on_disk_answers_like_what_is_in_memory() {
    let (logs, dir) = (logs(), tempfile::tempdir().unwrap());
    let house = House::at(dir.path());
    for eighths in [3, 5, 8] {
        house.append(&logs, [0, 3, 5][usize::from(eighths > 3) + usize::from(eighths > 5)], eighths);
        let expected = expected(&logs, eighths);
        assert!(expected.len() > 300, "there are positions");
        assert_same(&house.answers(&logs), &expected, "played on");
        house.merge();
        assert_same(&house.answers(&logs), &expected, "merged");
    }
    drop(house);
    // A start takes the runs that are there.
    let written = files(&folder(dir.path()));
    assert!(written.len() > 5, "{written:?}");
    let house = House::at(dir.path());
    assert_same(&house.answers(&logs), &expected(&logs, 8), "started again");
    let fresh = House::over(Store::in_memory().unwrap());
    fresh.append(&logs, 0, 8);
    assert_eq!(house.counted(), fresh.counted());
    drop(house);
    // Some may have been merged meanwhile; if all had been made again, none would be left.
    let is_kept = |path: &PathBuf| path.extension().is_some_and(|end| end == "run") && written.contains(path);
    assert!(files(&folder(dir.path())).iter().any(is_kept));
}

#[test]
fn what_is_rebuilt_answers_like_what_was_followed() {
    let (logs, dir) = (logs(), tempfile::tempdir().unwrap());
    let house = House::at(dir.path());
    house.append(&logs, 0, 8);
    let (answers, counted) = (house.answers(&logs), house.counted());
    drop(house);
    let store = Store::open(dir.path(), &Options::DEFAULT, &mut |_, _| ()).unwrap();
    assert_eq!(crate::rebuild(&store, &mut |_, _| ()).unwrap(), store.log().len());
    drop(store);
    let written = files(&folder(dir.path()));
    assert!(written.len() > 3, "{written:?}");
    let house = House::at(dir.path());
    assert_same(&house.answers(&logs), &answers, "rebuilt");
    assert_eq!(house.counted(), counted);
    drop(house);
    assert_eq!(files(&folder(dir.path())), written, "nothing was digested again");
}

/// Damages a file.
type Harm = fn(&Path);

/// Of what changes, ratings change rows alone.
#[test]
fn first_actions_follow_the_games() {
    let logs = logs();
    let house = House::over(Store::in_memory().unwrap());
    for eighth in 0..8 {
        house.append(&logs, eighth, eighth + 1);
        house.counted();
    }
    let rated = |told: &[String]| told.iter().filter(|told| told.contains("rated: (1500.0, 1)")).count();
    let before = rated(&house.counted());
    house.catalogue.set_ratings(&logs.iter().map(|log| (log.log, Some(1500.0))).collect::<Vec<_>>());
    assert!(before == 0 && rated(&house.counted()) > 0);
}

#[test]
fn a_damaged_file_is_made_again() {
    let (logs, whole) = (logs(), tempfile::tempdir().unwrap());
    let house = House::at(whole.path());
    house.append(&logs, 0, 8);
    house.merge();
    drop(house);
    let expected = expected(&logs, 8);
    let harms: [Harm; 5] = [
        |path| fs::remove_file(path).unwrap(),
        |path| fs::write(path, &fs::read(path).unwrap()[1..]).unwrap(),
        |path| fs::write(path, b"").unwrap(),
        |path| flip(path, |length| length / 3),
        |path| flip(path, |length| length - 20),
    ];
    let counted = House::at(whole.path()).counted();
    assert!(counted.len() > 50, "{counted:?}");
    for (n, path) in files(&folder(whole.path())).iter().enumerate() {
        let dir = tempfile::tempdir().unwrap();
        copy(whole.path(), dir.path());
        harms[n % harms.len()](&dir.path().join(path.strip_prefix(whole.path()).unwrap()));
        let house = House::at(dir.path());
        assert_same(&house.answers(&logs), &expected, &path.display().to_string());
        assert_eq!(house.counted(), counted, "{}", path.display());
    }
}

fn flip(path: &Path, at: fn(usize) -> usize) {
    let mut bytes = fs::read(path).unwrap();
    let at = at(bytes.len());
    bytes[at] ^= 0x10;
    fs::write(path, bytes).unwrap();
}

#[test]
fn digests_may_be_older_or_newer_than_the_index() {
    let (logs, first, second) = (logs(), tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    for (dir, eighths) in [(&first, 5), (&second, 8)] {
        let house = House::at(dir.path());
        house.append(&logs, 0, 5);
        if eighths == 8 {
            house.append(&logs, 5, 8);
        }
    }
    let expected = expected(&logs, 8);
    for (sled, digests) in [(&first, &second), (&second, &first)] {
        let dir = tempfile::tempdir().unwrap();
        copy(&second.path().join("journal"), &dir.path().join("journal"));
        copy(&sled.path().join("sled"), &dir.path().join("sled"));
        fs::remove_dir_all(folder(dir.path())).unwrap();
        copy(&folder(digests.path()), &folder(dir.path()));
        let house = House::at(dir.path());
        assert_eq!(house.digests.ask().pending, 0);
        assert_same(&house.answers(&logs), &expected, "caught up");
    }
}

#[test]
fn what_was_counted_by_another_version_is_made_again() {
    let (logs, dir) = (logs(), tempfile::tempdir().unwrap());
    let house = House::at(dir.path());
    house.append(&logs, 0, 8);
    let counted = house.counted();
    drop(house);
    {
        let store = Store::open(dir.path(), &Options::DEFAULT, &mut |_, _| ()).unwrap();
        let other = SnapshotFile::open(&store, FOLDER, "v0".to_owned()).unwrap().unwrap();
        other.write(store.log().len(), 0, &BTreeMap::<String, KindDigests>::new()).unwrap();
        assert!(other.read::<BTreeMap<String, KindDigests>>().is_some());
    }
    assert_eq!(House::at(dir.path()).counted(), counted);
}

#[test]
fn digests_of_another_journal_are_not_taken() {
    let (logs, other, dir) = (logs(), tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    House::at(other.path()).append(&logs, 0, 8);
    let reversed: Vec<GeneratedLog> = logs[..logs.len() - 7].iter().rev().cloned().collect();
    House::at(dir.path()).append(&reversed, 0, 8);
    fs::remove_dir_all(folder(dir.path())).unwrap();
    copy(&folder(other.path()), &folder(dir.path()));
    let house = House::at(dir.path());
    assert_same(&house.answers(&reversed), &expected(&reversed, 8), "other games");
}
