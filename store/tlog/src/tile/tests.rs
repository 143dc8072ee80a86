use super::*;

#[test]
fn a_path_has_one_spelling() {
    for (level, index, width, path) in [
        (0, 0, 256, "0/000"),
        (0, 999, 1, "0/999.p/1"),
        (1, 1_000, 256, "1/x001/000"),
        (0, 1_234_067, 256, "0/x001/x234/067"),
        (7, 1_234_067, 255, "7/x001/x234/067.p/255"),
    ] {
        let tile = Tile { level, index, width };
        assert_eq!(tile.to_string(), path);
        assert_eq!(path.parse(), Ok(tile));
    }
    let wrong = [
        "",
        "0",
        "0/",
        "/000",
        "0/0",
        "0/00",
        "0/0000",
        "0/1000",
        "0/x000/000",
        "0/000/000",
        "0/x001",
        "00/000",
        "8/000",
        "-1/000",
        "+1/000",
        "0/+01",
        "0/000.p/0",
        "0/000.p/256",
        "0/000.p/01",
        "0/000.p/",
        "0/000.p",
        "0/000/",
        "0/000.p/1/",
        "0/../0",
        "0/x999/x999/x999/x999/x999/x999/x999/999",
        "0/é00",
        "entries/000",
    ];
    for path in wrong {
        assert!(path.parse::<Tile>().is_err(), "{path}");
    }
}

/// The example of the specification: a tree of 70,000 leaves.
#[test]
fn a_tree_has_the_tiles_of_its_size() {
    let of = |level, index| Tile::of_tree(level, index, 70_000).map(|tile| tile.width);
    assert_eq!([of(0, 0), of(0, 272), of(0, 273), of(0, 274)], [Some(256), Some(256), Some(112), None]);
    assert_eq!([of(1, 0), of(1, 1), of(1, 2)], [Some(256), Some(17), None]);
    assert_eq!([of(2, 0), of(2, 1), of(3, 0)], [Some(1), None, None]);
    assert_eq!(Tile::of_tree(1, 0, 256).map(|tile| tile.width), Some(1));
    assert_eq!(Tile::of_tree(0, 0, 0), None);
    assert_eq!(Tile::of_tree(200, u64::MAX, u64::MAX), None);
    assert!("0/273.p/112".parse::<Tile>().unwrap().is_in(70_000));
    assert!("0/273.p/7".parse::<Tile>().unwrap().is_in(70_000));
    assert!(!"0/273.p/113".parse::<Tile>().unwrap().is_in(70_000));
    assert!(!"0/273".parse::<Tile>().unwrap().is_in(70_000));
}
