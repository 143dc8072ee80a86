//! Setups: who begins, and where the extra pad may go.

use crate::setup::Member;

pub(super) const EXTRA_PAD: Member = Member::choice(
    "extraPad",
    ["empty", "anywhere"],
    "Where the extra pad may go, away from its seat's own frogs and pads: on an \"empty\" square, or \"anywhere\", in the place of a pad or under a frog of the other seat too. (R8)",
);

pub(super) const MEMBERS: &[Member] = &[
    Member::first(2, "The seat that begins, X (1) or O (2), or \"drawn\": the service draws it. (R1)"),
    Member::toss(
        "How the first move was decided at the table, such as {\"by\":\"coin\"} with `first`, or {\"by\":\"die\",\"even\":1,\"number\":4}. (R1)",
    ),
    EXTRA_PAD,
];
