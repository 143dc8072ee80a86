//! Routes lead over the cells that submissions lead over.

use super::*;
use crate::Viewer;
use crate::form::Form;
use crate::games::triforce_building::notation::Action;

#[test]
fn routes_are_all_submissions_with_their_cells() {
    for round in [1, 3] {
        let board = seven(round, ["1.1", "3.2", "2.3", "3.1", "3.5", "4.1", "4.7"], &[]);
        for actor in board.to_act().iter() {
            let Some(Form::Routes(routes)) = board.form(Viewer::All, actor) else { panic!("submissions have routes") };
            for route in &routes {
                let submission: Submission = route.action.parse().expect("a submission");
                assert_eq!(board.judge(actor, &Action::Submit(submission)), Ok(()), "{}", route.action);
                assert_eq!(submission.steps().count() + 1, route.places.len());
                let Actor::Seat(seat) = actor else { unreachable!() };
                let start = board.cells[usize::from(seat) - 1].expect("it is on the board");
                assert_eq!(route.places[0], start.to_string());
                let end = board.end(start, submission).expect("a path");
                assert_eq!(route.places.last(), Some(&end.to_string()));
            }
            let mut legal = Vec::new();
            board.legal(actor, &mut legal);
            for submission in legal {
                assert!(routes.iter().any(|route| route.action == submission.to_string()), "{submission}");
            }
            let mut actions: Vec<&str> = routes.iter().map(|route| route.action.as_str()).collect();
            actions.sort_unstable();
            let count = actions.len();
            actions.dedup();
            assert_eq!(actions.len(), count, "each once");
        }
    }
    let board = seven(1, ["1.1", "3.2", "2.3", "3.1", "3.5", "4.1", "4.7"], &[]);
    let Some(Form::Routes(routes)) = board.form(Viewer::All, Actor::Seat(1)) else { panic!("submissions have routes") };
    // From the tip: stay; down; from there left, right or back; and from each of these on.
    assert_eq!(routes.len(), 1 + 1 + 3 + (2 + 2 + 1));
}

#[test]
fn whoever_does_not_know_where_a_seat_is_gets_routes_from_every_taken_cell() {
    let board = seven(3, ["1.1", "3.2", "2.3", "3.1", "3.5", "4.1", "4.7"], &[]);
    let of = |viewer, seat| match board.form(viewer, Actor::Seat(seat)) {
        Some(Form::Routes(routes)) => routes,
        _ => panic!("submissions have routes"),
    };
    for seat in 1..=7 {
        let start = board.cells[usize::from(seat) - 1].expect("it is on the board").to_string();
        let own = of(Viewer::Seat(seat), seat);
        assert!(own.iter().all(|route| route.places[0] == start));
        let public = of(Viewer::Public, seat);
        assert!(public.iter().filter(|route| route.places[0] == start).eq(&own), "seat {seat}");
        assert_eq!(public, of(Viewer::Public, seat % 7 + 1), "they tell nothing of the seat");
        assert_eq!(public, of(Viewer::Seat(seat % 7 + 1), seat), "nor does another seat know more");
    }
}
