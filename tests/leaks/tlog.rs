//! The transparency log of games that run with secrets: checkpoints, proofs and tiles are the same for two games that differ
//! in a secret, apart from hashes of events, which have salted commitments in them.

use std::time::{Duration, Instant};

use crate::pair::{Pair, sorts};
use crate::reading::{Reading, TURNS};
use crate::shape::Shape;
use crate::side::{Asker, Side};
use crate::{number, tested};

/// The number of pairs of each sort of secret.
const PAIRS: usize = 1;

/// How long a checkpoint may take to cover everything.
const PATIENCE: Duration = Duration::from_secs(60);

#[actix_web::test]
async fn the_transparency_log_does_not_tell_games_apart_that_differ_in_a_secret() {
    let reading = Reading::new(&Shape::read().await);
    for (turn, sort) in sorts(tested()).into_iter().enumerate() {
        for number in 0..number("PLYBOOK_LEAK_PAIRS").unwrap_or(PAIRS) {
            let pair = Pair::generate(&[sort], number).expect("there are pairs");
            let folders = [(), ()].map(|()| tempfile::tempdir().expect("a folder can be made"));
            let sides = [0, 1].map(|side| {
                let service = crate::service_with_tlog(folders[side].path());
                Side::of(&pair, side, service)
            });
            sides.iter().for_each(cover);
            let told = sides[0].get("/checkpoint").await;
            assert!(told.starts_with("leaks.example.org\n"), "{told}");
            let proof = "query($id: ID!) { game(id: $id) { inclusion { index path } } }";
            let proof = sides[0].ask(Asker::Public, proof, serde_json::json!({ "id": sides[0].id() })).await;
            assert!(proof["data"]["game"]["inclusion"]["index"].is_number(), "{proof}");
            for asker in [Asker::Public, Asker::Recorder, Asker::OtherPlayer] {
                let compared = reading.compare(&pair, &sides, asker, (turn + number) % TURNS).await;
                compared.unwrap_or_else(|why| panic!("pair {number}: {pair}: {why}"));
            }
            // Whoever knows the secret can tell, so the comparison compares something.
            assert!(reading.compare_plain(&pair, &sides, Asker::Owner).await.is_err(), "pair {number}: {pair}");
            let tile_of = |size: u64| format!("/tile/0/000.p/{size}");
            let tiles = [0, 1].map(|side| tile_of(sides[side].service.log().len()));
            let tile = async |side: usize| sides[side].get(&tiles[side]).await;
            assert_eq!(tile(0).await.len(), tile(1).await.len());
            assert_ne!(tile(0).await, tile(1).await, "leaves are hashes of events, which have salts in them");
            let beyond = tile_of(sides[0].service.log().len() + 1);
            assert!(sides[0].get(&beyond).await.contains("does not cover this tile"), "never written");
        }
    }
}

/// Waits until the last checkpoint covers everything that is recorded.
fn cover(side: &Side) {
    let began = Instant::now();
    let size = || side.service.tlog().expect("it is kept").published().checkpoint.size;
    while size() < side.service.log().len() {
        assert!(began.elapsed() < PATIENCE, "no checkpoint covers the game");
        std::thread::sleep(Duration::from_millis(20));
    }
}
