//! Witnesses: what they are asked, how they judge it, and what they answer.

use plybook_events::Hash;
use plybook_tlog::{
    AddCheckpoint, Builder, Checkpoint, CosigningKey, KeyError, Note, NoteError, Quorum, QuorumError, Refusal,
    SigningKey, Tree, VerifierKey, WitnessKey, leaf_hash,
};

use crate::tiles::MemoryTiles;

const ORIGIN: &str = "games.example.org";

fn log(seed: u8) -> SigningKey {
    SigningKey::from_seed(ORIGIN, &[seed; 32]).unwrap()
}

fn witness(name: &str, seed: u8) -> CosigningKey {
    CosigningKey::from_seed(name, &[seed; 32]).unwrap()
}

/// A tree of so many leaves, the last `other` of which belong to another history.
fn tree(size: u64, other: u64) -> (Checkpoint, MemoryTiles) {
    let (mut builder, mut tiles) = (Builder::default(), MemoryTiles::default());
    for n in 0..size {
        builder.push(leaf_hash(&[n as u8, u8::from(n >= size - other)]), &mut tiles);
    }
    tiles.complete(&builder);
    (Checkpoint { origin: ORIGIN.to_owned(), size, root: builder.root() }, tiles)
}

/// A request that goes on from `old` leaves to a tree.
fn request(old: u64, size: u64, other: u64) -> AddCheckpoint {
    let (checkpoint, tiles) = tree(size, other);
    let proof = if old == 0 || old > size { Vec::new() } else { Tree::new(&tiles, size).consistency(old).unwrap() };
    AddCheckpoint { old_size: old, proof, note: checkpoint.sign(&[&log(1)]) }
}

/// # Source
/// <https://c2sp.org/tlog-witness>, the example of `add-checkpoint`.
#[test]
fn the_example_of_the_specification_is_read_and_written() {
    let text = "old 20852014\nPlRNCrwHpqhGrupue0L7gxbjbMiKA9temvuZZDDpkaw=\njrJZDmY8Y7SyJE0MWLpLozkIVMSMZcD5kvuKxPC3swk=\n5+pKlUdi2LeF/BcMHBn+Ku6yhPGNCswZZD1X/6QgPd8=\n/6WVhPs2CwSsb5rYBH5cjHV/wSmA79abXAwhXw3Kj/0=\n\nexample.com/behind-the-sofa\n20852163\nCsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=\n\n\u{2014} example.com/behind-the-sofa Az3grlgtzPICa5OS8npVmf1Myq/5IZniMp+ZJurmRDeOoRDe4URYN7u5/Zhcyv2q1gGzGku9nTo+zyWE+xeMcTOAYQ8=\n";
    let request: AddCheckpoint = text.parse().unwrap();
    assert_eq!((request.old_size, request.proof.len()), (20_852_014, 4));
    assert_eq!(request.to_string(), text);
    for wrong in [
        String::new(),
        "old 0\n".to_owned(),
        text.replace("old 2", "old 02"),
        text.replace("old 2", "old -2"),
        text.replace("old 20852014", "old 18446744073709551616"),
        text.replace("old", "new"),
        text.replace("PlRN", "PlR"),
        text.replace("PlRN", "!lRN"),
        text.replace("\n\nexample", "\nexample"),
        text.replace('\u{2014}', "-"),
        format!("old 1\n{}{}", format!("{}\n", &text[13..57]).repeat(64), &text[text.find("\n\n").unwrap() + 1..]),
        format!("{text}\n"),
    ] {
        assert_eq!(wrong.parse::<AddCheckpoint>(), Err(Refusal::Shape), "{wrong}");
    }
}

#[test]
fn a_witness_cosigns_only_what_goes_on_from_what_it_has_cosigned() {
    let keys: [VerifierKey; 2] = [log(1).public().clone(), log(2).public().clone()];
    let judge = |last: Option<(u64, u64)>, request: &AddCheckpoint| {
        let last = last.map(|(size, other)| tree(size, other).0);
        request.judge(|origin| (origin == ORIGIN).then_some((&keys, last.as_ref())))
    };
    for (last, (old, size, other), found) in [
        (None, (0, 0, 0), Ok(0)),
        (None, (0, 5, 0), Ok(5)),
        (Some((0, 0)), (0, 5, 0), Ok(5)),
        (Some((5, 0)), (5, 5, 0), Ok(5)),
        (Some((5, 0)), (5, 300, 0), Ok(300)),
        (Some((5, 0)), (5, 300, 295), Ok(300)),
        (Some((5, 0)), (5, 300, 296), Err(Refusal::Inconsistent)),
        (Some((5, 0)), (5, 5, 1), Err(Refusal::Inconsistent)),
        (Some((5, 0)), (6, 5, 0), Err(Refusal::Backwards)),
        (Some((5, 0)), (0, 6, 0), Err(Refusal::Conflict { size: 5 })),
        (Some((5, 0)), (4, 6, 0), Err(Refusal::Conflict { size: 5 })),
        (Some((5, 0)), (3, 3, 0), Err(Refusal::Conflict { size: 5 })),
        (None, (3, 6, 0), Err(Refusal::Conflict { size: 0 })),
    ] {
        let judged = judge(last, &request(old, size, other)).map(|checkpoint| checkpoint.size);
        assert_eq!(judged, found, "{last:?}, then from {old} to {size} with {other} others");
    }
    // A proof where none belongs, none where one belongs, and one that is not for these trees.
    let mut with_proof = request(0, 6, 0);
    with_proof.proof = vec![Hash([1; 32])];
    assert_eq!(judge(None, &with_proof), Err(Refusal::Inconsistent));
    let mut same = request(5, 5, 0);
    same.proof = vec![Hash([1; 32])];
    assert_eq!(judge(Some((5, 0)), &same), Err(Refusal::Inconsistent));
    let changes: [fn(&mut Vec<Hash>); 3] =
        [Vec::clear, |proof| proof[0] = Hash([1; 32]), |proof| proof.push(Hash([1; 32]))];
    for change in changes {
        let mut changed = request(5, 6, 0);
        change(&mut changed.proof);
        assert_eq!(judge(Some((5, 0)), &changed), Err(Refusal::Inconsistent));
    }
    // A tree without leaves has one root only.
    let empty = Checkpoint { root: Hash([1; 32]), ..tree(0, 0).0 };
    let empty = AddCheckpoint { old_size: 0, proof: Vec::new(), note: empty.sign(&[&log(1)]) };
    assert_eq!(judge(None, &empty), Err(Refusal::Inconsistent));

    // Who has signed it.
    let of = |keys: &[&SigningKey]| AddCheckpoint { note: tree(5, 0).0.sign(keys), ..request(0, 5, 0) };
    assert!(judge(None, &of(&[&log(2)])).is_ok());
    assert!(judge(None, &of(&[&log(3), &log(1)])).is_ok(), "signatures by keys that are not known are ignored");
    assert_eq!(judge(None, &of(&[&log(3)])), Err(Refusal::Unsigned(NoteError::Unsigned)));
    assert_eq!(judge(None, &of(&[])), Err(Refusal::Unsigned(NoteError::Unsigned)));
    let mut forged = of(&[&log(1)]);
    let other = Checkpoint { size: 6, ..tree(5, 0).0 }.sign(&[&log(2)]).to_string();
    let line = other.lines().last().unwrap();
    forged.note = format!("{}{line}\n", forged.note).parse().unwrap();
    assert_eq!(judge(None, &forged), Err(Refusal::Unsigned(NoteError::Forged)), "one false signature is enough");
    let foreign = Checkpoint { origin: "example.net".to_owned(), ..tree(5, 0).0 };
    let foreign = AddCheckpoint { note: foreign.sign(&[&log(1)]), ..request(0, 5, 0) };
    assert_eq!(judge(None, &foreign), Err(Refusal::UnknownLog));
    let none = AddCheckpoint { note: Note::sign("text\n".to_owned(), &[&log(1)]), ..request(0, 5, 0) };
    assert_eq!(judge(None, &none), Err(Refusal::Shape));
}

#[test]
fn cosignatures_count_by_key_and_only_if_nothing_was_changed() {
    let [one, two, three] = [("one.example.net", 1), ("two.example.net", 2), ("three.example.net", 3)]
        .map(|(name, seed)| witness(name, seed));
    let mut note = tree(5, 0).0.sign(&[&log(1)]);
    for (key, time) in [(&one, 1_700_000_000), (&two, 1_700_000_001), (&one, 1_700_000_002)] {
        note.add_cosignature(key.cosign(&note, time));
    }
    let text = note.to_string();
    assert_eq!(text.lines().count(), 4 + 3, "a newer cosignature replaces an older one of the same witness");
    assert!(Checkpoint::open(&text, log(1).public()).is_ok());
    let note: Note = text.parse().unwrap();
    let keys = || [&one, &two, &three].map(|key| key.public().clone()).to_vec();
    let quorum = |needed| Quorum::new(keys(), needed).unwrap();
    let found = quorum(None).check(&note).unwrap();
    assert_eq!(
        found.iter().map(|found| (found.witness(), found.time_s())).collect::<Vec<_>>(),
        [("one.example.net", 1_700_000_002), ("two.example.net", 1_700_000_001)]
    );
    assert_eq!(quorum(None).needed(), 2);
    assert_eq!(quorum(Some(3)).check(&note), Err(QuorumError::Few { found: 2, needed: 3, witnesses: 3 }));
    for (count, needed) in [(0, 0), (1, 1), (2, 2), (3, 2)] {
        assert_eq!(Quorum::new(keys()[..count].to_vec(), None).unwrap().needed(), needed);
    }
    for needed in [0, 4] {
        assert!(matches!(Quorum::new(keys(), Some(needed)), Err(QuorumError::Outside { .. })));
    }
    // One key does not count twice, not by another name either.
    let again = witness("four.example.net", 1).public().clone();
    assert_eq!(Quorum::new([keys(), vec![again]].concat(), None).unwrap_err(), QuorumError::Twice);

    // No character of the text or of a cosignature can be changed.
    let line = text.find("\u{2014} two").unwrap();
    for at in (0..tree(5, 0).0.to_text().len()).chain(line..line + 100) {
        let mut bytes = text.clone().into_bytes();
        bytes[at] ^= 1;
        let Ok(changed) = String::from_utf8(bytes) else { continue };
        let Ok(changed) = changed.parse::<Note>() else { continue };
        assert!(changed.cosignature(two.public()).is_err(), "{at}");
    }
    // What a log's key signs is no cosignature, even if it is the same key.
    let as_log = SigningKey::from_seed("one.example.net", &[1; 32]).unwrap();
    assert_eq!(tree(5, 0).0.sign(&[&as_log]).cosignature(one.public()), Err(NoteError::Unsigned));
}

#[test]
fn keys_of_logs_and_witnesses_are_not_mixed_up() {
    let (ours, theirs) = (log(1).public().to_string(), witness("w.example.net", 1).public().to_string());
    assert!(theirs.parse::<WitnessKey>().is_ok());
    let refusals = [ours.parse::<WitnessKey>().unwrap_err(), theirs.parse::<VerifierKey>().unwrap_err()];
    assert_eq!(refusals, [KeyError::Type(1), KeyError::Type(4)]);
    assert_eq!(refusals[0].to_string(), "this is the key of a log: that of a witness is needed");
    assert_eq!(refusals[1].to_string(), "this is the key of a witness: that of a log is needed");
    let secret = witness("w.example.net", 1).to_secret_text();
    assert!(CosigningKey::from_secret_text(&secret).is_ok());
    assert!(SigningKey::from_secret_text(&secret).is_err());
}
