//! How actions are put together on the board.

use std::sync::LazyLock;

use plybook_rules::form::{Form, Route, Slot, Tray, TrayPiece};

use super::plain::{Members, Plain};

impl Plain for Form {
    const NAME: &'static str = "ActionForm";
    const ABOUT: &'static str = "How an action is put together by tapping the board: either from `trays`, or along \
                                 one of the `routes`. What is put together is judged like any other action.";

    fn members() -> &'static Members<Self> {
        static MEMBERS: LazyLock<Members<Form>> = LazyLock::new(|| {
            Members::<Form>::new()
                .objects(
                    "trays",
                    "Pieces to be put on the board. The parts of all trays, one after the other, are the action.",
                    |form| match form {
                        Form::Trays(trays) => trays,
                        Form::Routes(_) => &[],
                    },
                )
                .objects("routes", "Every legal action with the places that it leads over.", |form| match form {
                    Form::Routes(routes) => routes,
                    Form::Trays(_) => &[],
                })
        });
        &MEMBERS
    }
}

impl Plain for Tray {
    const NAME: &'static str = "Tray";
    const ABOUT: &'static str = "Pieces, and the slots that they are put on. Its part of the action is `before`, and \
                                 then, slot by slot, what stands before the slot, the letter of the piece on it, and \
                                 what stands after it.";

    fn members() -> &'static Members<Self> {
        static MEMBERS: LazyLock<Members<Tray>> = LazyLock::new(|| {
            Members::<Tray>::new()
                .value::<String>("title", "What it holds.", |tray, out| out.put(&tray.title))
                .value::<String>("before", "What is written before the first slot.", |tray, out| out.put(tray.before))
                .value::<String>(
                    "blank",
                    "The letter of an empty slot in an action that is not complete; empty if nothing is written for it.",
                    |tray, out| out.put(tray.blank),
                )
                .value::<usize>("total", "How many pieces are on slots in the end.", |tray, out| out.put(&tray.total))
                .objects("slots", "Where pieces can be put, in the order in which they are written.", |tray| {
                    &tray.slots
                })
                .objects("pieces", "What can be put there.", |tray| &tray.pieces)
        });
        &MEMBERS
    }
}

impl Plain for Slot {
    const NAME: &'static str = "TraySlot";
    const ABOUT: &'static str = "A place that a piece can be put on.";

    fn members() -> &'static Members<Self> {
        static MEMBERS: LazyLock<Members<Slot>> = LazyLock::new(|| {
            Members::<Slot>::new()
                .value::<String>("place", "The place, as the items of the scene name it.", |slot, out| {
                    out.put(&slot.place);
                })
                .value::<Vec<i32>>("at", "The point `[x, y]` that a piece's drawing is moved to.", |slot, out| {
                    out.put(&slot.at);
                })
                .value::<String>("before", "What is written before the letter.", |slot, out| out.put(&slot.before))
                .value::<String>("after", "What is written after the letter.", |slot, out| out.put(&slot.after))
        });
        &MEMBERS
    }
}

impl Plain for TrayPiece {
    const NAME: &'static str = "TrayPiece";
    const ABOUT: &'static str = "A sort of piece in a tray.";

    fn members() -> &'static Members<Self> {
        static MEMBERS: LazyLock<Members<TrayPiece>> = LazyLock::new(|| {
            Members::<TrayPiece>::new()
                .value::<String>("letter", "Its letter.", |piece, out| out.put(&piece.letter))
                .value::<String>("name", "Its name.", |piece, out| out.put(piece.name))
                .value::<usize>("most", "The most of them that can be put on slots.", |piece, out| out.put(&piece.most))
                .value::<usize>("least", "The fewest of them that must be on slots in the end.", |piece, out| {
                    out.put(&piece.least);
                })
                .value::<Vec<String>>("barred", "The places that it cannot be put on.", |piece, out| {
                    out.put(&piece.barred);
                })
                .objects("items", "What it looks like, within a square of 1000 units from `[0, 0]`.", |piece| {
                    &piece.items
                })
        });
        &MEMBERS
    }
}

impl Plain for Route {
    const NAME: &'static str = "Route";
    const ABOUT: &'static str = "The places that an action leads over.";

    fn members() -> &'static Members<Self> {
        static MEMBERS: LazyLock<Members<Route>> = LazyLock::new(|| {
            Members::<Route>::new()
                .value::<String>("action", "The action.", |route, out| out.put(&route.action))
                .value::<Vec<String>>("places", "Its places in order, the one where it starts first.", |route, out| {
                    out.put(&route.places);
                })
        });
        &MEMBERS
    }
}
