//! Signed notes and checkpoints: the examples of the specifications, and what is refused.

use plybook_events::Hash;
use plybook_tlog::{Checkpoint, CheckpointError, KeyError, NOTE_BYTES_MAX, Note, NoteError, SigningKey, VerifierKey};

/// # Source
/// <https://c2sp.org/signed-note>, *Example*.
const EXAMPLE_KEY: &str = "example.com/foo+530d903a+AekyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2k";
const EXAMPLE: &str = "This is an example message.\n\n\u{2014} example.com/foo Uw2QOkn8srV1yJGh2VYRlL1Tnagv1YEq6TfXppzi2ONncAlTgK7Ztg1ERYNZXsYjOBH3mFXmRKuwHjG1Yu72IneyaQM=\n";

fn key(name: &str, seed: u8) -> SigningKey {
    SigningKey::from_seed(name, &[seed; 32]).unwrap()
}

#[test]
fn the_example_of_the_specification_is_read_and_written() {
    let key: VerifierKey = EXAMPLE_KEY.parse().unwrap();
    assert_eq!(key.to_string(), EXAMPLE_KEY);
    let note: Note = EXAMPLE.parse().unwrap();
    assert_eq!(note.text(), "This is an example message.\n");
    assert_eq!(note.check(&key), Ok(()));
    assert_eq!(note.to_string(), EXAMPLE);
    let changed: Note = EXAMPLE.replace("example message", "example massage").parse().unwrap();
    assert_eq!(changed.check(&key), Err(NoteError::Forged));
}

/// # Source
/// The example of Go's `golang.org/x/mod/sumdb/note`: its private and its public key belong together.
#[test]
fn keys_are_written_as_in_go() {
    let secret = "PRIVATE+KEY+PeterNeumann+c74f20a3+AYEKFALVFGyNhPJEMzD1QIDr+Y7hfZx09iUvxdXHKDFz";
    let public = "PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW";
    let key = SigningKey::from_secret_text(secret).unwrap();
    assert_eq!(key.public().to_string(), public);
    assert_eq!(key.to_secret_text(), secret);
}

#[test]
fn what_is_no_key_is_refused() {
    let key: String = key("games.example.org", 1).public().to_string();
    assert!(key.parse::<VerifierKey>().is_ok());
    for (wrong, why) in [
        (String::new(), KeyError::Text),
        ("a+b".to_owned(), KeyError::Text),
        (key.replace("games", "gamez"), KeyError::Id),
        (key.replace("games.example.org", "games example.org"), KeyError::Name),
        (key.replace("games.example.org", ""), KeyError::Name),
        (key[..key.len() - 4].to_owned(), KeyError::Text),
        (format!("{key} "), KeyError::Text),
        (EXAMPLE_KEY.replace("+530d903a+", "+530D903A+"), KeyError::Text),
        (EXAMPLE_KEY.replace("+A", "+B"), KeyError::Text),
    ] {
        assert_eq!(wrong.parse::<VerifierKey>(), Err(why), "{wrong}");
    }
    for name in ["", " ", "a b", "a+b", "a\nb", &"x".repeat(201)] {
        assert!(matches!(SigningKey::from_seed(name, &[1; 32]), Err(KeyError::Name)), "{name:?}");
    }
    assert!(SigningKey::from_secret_text(&key).is_err(), "a public key does not sign");
}

#[test]
fn a_checkpoint_is_opened_only_with_its_key() {
    let (ours, next, other) = (key("games.example.org", 1), key("games.example.org", 2), key("example.net", 1));
    let checkpoint = Checkpoint { origin: "games.example.org".to_owned(), size: 20_852_163, root: Hash([7; 32]) };
    let note = checkpoint.sign(&[&ours]).to_string();
    assert_eq!(Checkpoint::open(&note, ours.public()), Ok(checkpoint.clone()));
    for stranger in [&next, &other] {
        let why = CheckpointError::Note(NoteError::Unsigned);
        assert_eq!(Checkpoint::open(&note, stranger.public()), Err(why));
    }
    // While a key is replaced, checkpoints are signed by both.
    let both = checkpoint.sign(&[&next, &ours]).to_string();
    for key in [&ours, &next] {
        assert_eq!(Checkpoint::open(&both, key.public()), Ok(checkpoint.clone()));
    }
    // No character can be changed.
    for at in 0..note.len() {
        let mut bytes = note.clone().into_bytes();
        bytes[at] ^= 1;
        let Ok(changed) = String::from_utf8(bytes) else { continue };
        assert_ne!(Checkpoint::open(&changed, ours.public()), Ok(checkpoint.clone()), "{at}");
    }
}

#[test]
fn what_is_no_note_is_refused() {
    let long = format!("{}\n\n\u{2014} a AAAAAAA=\n", "x".repeat(NOTE_BYTES_MAX));
    let many = format!("x\n\n{}", "\u{2014} a AAAAAAA=\n".repeat(65));
    let wrong = [
        "",
        "\n",
        "x",
        "x\n",
        "x\n\n",
        "\n\n",
        "x\n\n- a AAAAAAA=\n",
        "x\n\n\u{2014} a\n",
        "x\n\n\u{2014} a AAAA\n",
        "x\n\n\u{2014} a AAAAAAA=",
        "x\n\n\u{2014}  AAAAAAA=\n",
        "x\n\n\u{2014} a+b AAAAAAA=\n",
        "x\r\n\n\u{2014} a AAAAAAA=\n",
        "x\n\n\u{2014} a AAAAAAA=\nx\n",
        "x\n\n\u{2014} a !\n",
        &long,
        &many,
    ];
    for text in wrong {
        assert_eq!(text.parse::<Note>(), Err(NoteError::Shape), "{text:?}");
    }
    assert!("x\n\ny\n\n\u{2014} a AAAAAAA=\n".parse::<Note>().is_ok(), "a text may have empty lines");
}

#[test]
fn a_text_has_one_reading_as_a_checkpoint() {
    let root = "CsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=";
    let read = |text: &str| Checkpoint::from_text(text).ok();
    let checkpoint = read(&format!("a\n0\n{root}\n")).unwrap();
    assert_eq!(checkpoint.to_text(), format!("a\n0\n{root}\n"));
    assert_eq!(read(&format!("a\n0\n{root}\nextension\n")), Some(checkpoint));
    for text in [
        format!("\n0\n{root}\n"),
        format!("a\n00\n{root}\n"),
        format!("a\n+1\n{root}\n"),
        format!("a\n-1\n{root}\n"),
        format!("a\n18446744073709551616\n{root}\n"),
        format!("a\n1\n{}\n", &root[4..]),
        format!("a\n1\n{root}"),
        format!("a\n1\n{root}\n\n"),
        "a\n1\n".to_owned(),
        String::new(),
    ] {
        assert_eq!(read(&text), None, "{text:?}");
    }
}

/// Whatever somebody sends is read or refused.
#[test]
fn no_bytes_make_a_reader_panic() {
    let (key, mut state) = (key("games.example.org", 1), 7_u64);
    let mut below = |n: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % n
    };
    let checkpoint = Checkpoint { origin: "games.example.org".to_owned(), size: 12, root: Hash([7; 32]) };
    let texts = [
        checkpoint.sign(&[&key]).to_string(),
        key.public().to_string(),
        key.to_secret_text(),
        "7/x001/x234/067.p/255".to_owned(),
    ];
    let pieces = ["\n\n", "\u{2014} ", "+", "/", ".p/", "x999/", "18446744073709551615", "=", "\u{e9}", "\0", ""];
    for round in 0..20_000 {
        let mut text: Vec<char> = texts[round % texts.len()].chars().collect();
        for _ in 0..=below(4) {
            let at = below(text.len() + 1);
            let gone = below(6).min(text.len() - at);
            text.splice(at..at + gone, pieces[below(pieces.len())].chars());
        }
        let text: String = text.into_iter().collect();
        let (_, _) = (Checkpoint::open(&text, key.public()), Checkpoint::from_text(&text));
        let (_, _) = (text.parse::<VerifierKey>(), SigningKey::from_secret_text(&text));
        if let Ok(tile) = text.parse::<plybook_tlog::Tile>() {
            assert!(tile.to_string() == text && !tile.is_in(0), "{text}");
        }
    }
}
