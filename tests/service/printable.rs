//! Characters that nothing for people may have.

use plybook_api::access::Caller;
use serde_json::json;

use crate::house::House;

#[tokio::test]
async fn nothing_for_people_takes_characters_that_cannot_be_printed() {
    let house = House::new();
    let game = house.create("triangulate").await;
    let comment = "mutation($g: ID!, $t: String!) { annotate(game: $g, ply: 0, comment: $t) { id } }";
    let glyph = "mutation($g: ID!, $t: String!) { annotate(game: $g, ply: 0, glyphs: [$t]) { id } }";
    let reason = "mutation($g: ID!, $t: String!) { voidGame(game: $g, reason: $t) { id } }";
    let tag = "mutation($t: String!) { createGame(input: { kind: \"triangulate\", seats: [{}, {}], tags: { any: [$t] } }) { id } }";
    let seat =
        "mutation($t: String!) { createGame(input: { kind: \"triangulate\", seats: [{ name: $t }, {}] }) { id } }";
    let label = "mutation($t: String!) { createToken(input: { role: \"recorder\", label: $t }) { id } }";
    let player = "mutation($t: String!) { createPlayer(input: { name: $t }) { id } }";
    let line = "mutation($g: ID!, $t: String!) { fork(game: $g, ply: 0, name: $t) { id } }";
    for mutation in [comment, glyph, reason, tag, seat, label, line, player] {
        for c in ['\u{1b}', '\0', '\r', '\u{202e}', '\u{200b}', '\u{e0041}', '\u{9b}'] {
            let text = format!("a{c}b");
            let variables =
                if mutation.contains("$g") { json!({ "g": game, "t": text }) } else { json!({ "t": text }) };
            let refused = house.ask(&Caller::ADMIN, mutation, variables).await;
            assert_eq!(refused.code(), "BAD_INPUT", "{mutation} {c:?}");
        }
    }
    // Joiners, which scripts and emoji need, and lines are taken.
    house.get(comment, json!({ "g": game, "t": "نام\u{200c}ها\n👩\u{200d}🚀" })).await;
}
