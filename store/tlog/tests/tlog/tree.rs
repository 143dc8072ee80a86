//! The tree: vectors of other implementations, and proofs against a tree computed straight from the definition.

use plybook_events::Hash;
use plybook_tlog::{
    Builder, Sink, Tile, Tiles, Tree, TreeError, empty_root, leaf_hash, node_hash, verify_consistency, verify_inclusion,
};

use crate::tiles::MemoryTiles;

/// Merkle tree hash as RFC 6962, section 2.1, defines it.
fn naive_root(leaves: &[Hash]) -> Hash {
    match leaves {
        [] => empty_root(),
        [leaf] => *leaf,
        _ => {
            let (left, right) = leaves.split_at(split(leaves.len()));
            node_hash(naive_root(left), naive_root(right))
        }
    }
}

/// Audit path, ibid. 2.1.1.
fn naive_path(index: usize, leaves: &[Hash]) -> Vec<Hash> {
    if leaves.len() < 2 {
        return Vec::new();
    }
    let (left, right) = leaves.split_at(split(leaves.len()));
    let (mut path, sibling) = if index < left.len() {
        (naive_path(index, left), naive_root(right))
    } else {
        (naive_path(index - left.len(), right), naive_root(left))
    };
    path.push(sibling);
    path
}

/// Consistency proof, ibid. 2.1.2.
fn naive_consistency(from: usize, leaves: &[Hash], is_whole: bool) -> Vec<Hash> {
    if from == leaves.len() {
        return if is_whole { Vec::new() } else { vec![naive_root(leaves)] };
    }
    let (left, right) = leaves.split_at(split(leaves.len()));
    let (mut proof, other) = if from <= left.len() {
        (naive_consistency(from, left, is_whole), naive_root(right))
    } else {
        (naive_consistency(from - left.len(), right, false), naive_root(left))
    };
    proof.push(other);
    proof
}

/// The largest power of two below a number.
fn split(len: usize) -> usize {
    len.next_power_of_two() / 2
}

fn built(entries: &[Vec<u8>]) -> (Builder, MemoryTiles) {
    let (mut builder, mut tiles) = (Builder::default(), MemoryTiles::default());
    for entry in entries {
        builder.push(leaf_hash(entry), &mut tiles);
    }
    tiles.complete(&builder);
    (builder, tiles)
}

fn entries(count: usize) -> Vec<Vec<u8>> {
    (0..count).map(|n| format!("entry {n}").into_bytes()).collect()
}

fn hash(text: &str) -> Hash {
    text.parse().unwrap()
}

/// # Source
/// The test data of Google's certificate-transparency, `merkletree/merkle_tree_test.cc`.
#[test]
fn known_trees_have_known_roots_and_paths() {
    let hex = ["", "00", "10", "2021", "3031", "40414243", "5051525354555657", "606162636465666768696a6b6c6d6e6f"];
    let bytes = |hex: &str| -> Vec<u8> {
        (0..hex.len()).step_by(2).map(|at| u8::from_str_radix(&hex[at..at + 2], 16).unwrap()).collect()
    };
    let known: Vec<Vec<u8>> = hex.iter().map(|hex| bytes(hex)).collect();
    let roots = [
        "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
        "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
        "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",
        "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77",
        "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
        "4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4",
        "76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef",
        "ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c",
        "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328",
    ];
    for (size, root) in roots.iter().enumerate() {
        let (builder, tiles) = built(&known[..size]);
        assert_eq!(builder.root(), hash(root), "{size} leaves");
        assert_eq!(Tree::new(&tiles, size as u64).root(), Ok(hash(root)), "{size} leaves");
    }
    let (_, tiles) = built(&known);
    let path = [
        "96a296d224f285c67bee93c30f8a309157f0daa35dc5b87e410b78630a09cfc7",
        "5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e",
        "6b47aaf29ee3c2af9af889bc1fb9254dabd31177f16232dd6aab035ca39bf6e4",
    ];
    assert_eq!(Tree::new(&tiles, 8).inclusion(0), Ok(path.map(hash).to_vec()));
}

#[test]
fn proofs_are_those_of_the_definition_for_every_leaf_and_size() {
    let all = entries(70);
    let leaves: Vec<Hash> = all.iter().map(|entry| leaf_hash(entry)).collect();
    let (_, tiles) = built(&all);
    for size in 1..=all.len() {
        let (tree, root) = (Tree::new(&tiles, size as u64), naive_root(&leaves[..size]));
        assert_eq!(tree.root(), Ok(root));
        for (index, entry) in all[..size].iter().enumerate() {
            let path = tree.inclusion(index as u64).unwrap();
            assert_eq!(path, naive_path(index, &leaves[..size]), "{index} of {size}");
            assert_eq!(verify_inclusion(root, size as u64, index as u64, entry, &path), Ok(()));
        }
        for from in 1..=size {
            let proof = tree.consistency(from as u64).unwrap();
            assert_eq!(proof, naive_consistency(from, &leaves[..size], true), "{from} to {size}");
            let old = naive_root(&leaves[..from]);
            assert_eq!(verify_consistency(from as u64, old, size as u64, root, &proof), Ok(()));
        }
    }
}

/// Sizes around the borders of tiles, where hashes come from tiles of several levels.
#[test]
fn proofs_hold_across_the_borders_of_tiles() {
    let all = entries(256 * 256 + 300);
    let leaves: Vec<Hash> = all.iter().map(|entry| leaf_hash(entry)).collect();
    let (builder, tiles) = built(&all);
    assert_eq!(builder.root(), naive_root(&leaves));
    let sizes = [255, 256, 257, 511, 513, 65_535, 65_536, 65_537, all.len()];
    for size in sizes {
        let (tree, root) = (Tree::new(&tiles, size as u64), naive_root(&leaves[..size]));
        assert_eq!(tree.root(), Ok(root), "{size}");
        for index in [0, 1, 254, 255, 256, size / 2, size - 1].into_iter().filter(|index| *index < size) {
            let path = tree.inclusion(index as u64).unwrap();
            assert_eq!(path, naive_path(index, &leaves[..size]), "{index} of {size}");
        }
        for from in sizes.into_iter().filter(|from| *from <= size) {
            let proof = tree.consistency(from as u64).unwrap();
            assert_eq!(proof, naive_consistency(from, &leaves[..size], true), "{from} to {size}");
        }
    }
}

/// Every hash, index and size of a proof matters.
#[test]
fn a_changed_proof_proves_nothing() {
    let all = entries(37);
    let (builder, tiles) = built(&all);
    let (root, tree) = (builder.root(), Tree::new(&tiles, 37));
    for index in [0_u64, 20, 36] {
        let (path, entry) = (tree.inclusion(index).unwrap(), &all[index as usize]);
        let is_proven =
            |root, size, index, entry: &[u8], path: &[Hash]| verify_inclusion(root, size, index, entry, path).is_ok();
        assert!(is_proven(root, 37, index, entry, &path));
        assert!(!is_proven(root, 37, index, b"entry", &path));
        assert!(!is_proven(empty_root(), 37, index, entry, &path));
        assert!(!is_proven(root, 37, index ^ 1, entry, &path));
        for size in [0, index, u64::MAX] {
            assert!(!is_proven(root, size, index, entry, &path), "{size}");
        }
        assert!(!is_proven(root, 37, index, entry, &path[1..]));
        assert!(!is_proven(root, 37, index, entry, &[path.as_slice(), &[root]].concat()));
        for place in 0..path.len() {
            let mut changed = path.clone();
            changed[place].0[31] ^= 1;
            assert!(!is_proven(root, 37, index, entry, &changed), "{place}");
        }
    }
    for from in [1_u64, 16, 21, 36, 37] {
        let old = Tree::new(&tiles, from).root().unwrap();
        let proof = tree.consistency(from).unwrap();
        let is_proven = |old, new, proof: &[Hash]| verify_consistency(from, old, 37, new, proof).is_ok();
        assert!(is_proven(old, root, &proof));
        assert!(!is_proven(empty_root(), root, &proof), "{from}");
        assert!(!is_proven(old, empty_root(), &proof), "{from}");
        assert!(!is_proven(old, root, &[proof.as_slice(), &[root]].concat()));
        for place in 0..proof.len() {
            let mut changed = proof.clone();
            changed[place].0[0] ^= 1;
            assert!(!is_proven(old, root, &changed), "{from}, {place}");
        }
    }
    assert!(verify_consistency(0, empty_root(), 37, root, &[]).is_ok());
    assert!(verify_consistency(0, root, 37, root, &[]).is_err());
    assert!(verify_consistency(38, root, 37, root, &[]).is_err());
    assert!(verify_consistency(37, root, u64::MAX, root, &[root]).is_err());
}

#[test]
fn what_is_outside_the_tree_has_no_proof() {
    let (_, tiles) = built(&entries(9));
    let outside = |asked, size| Err(TreeError::Outside { asked, size });
    assert_eq!(Tree::new(&tiles, 9).inclusion(9), outside(9, 9));
    assert_eq!(Tree::new(&tiles, 9).consistency(10), outside(10, 9));
    assert_eq!(Tree::new(&tiles, 9).consistency(0), outside(0, 9));
    assert_eq!(Tree::new(&tiles, 0).inclusion(0), outside(0, 0));
    assert_eq!(Tree::new(&tiles, 0).root(), Ok(empty_root()));
    assert!(Tree::new(&tiles, u64::MAX).inclusion(3).is_err());
    assert!(Tree::new(&tiles, 300).root().is_err(), "a tile is missing");
}

/// Tiles with too few hashes, as another server could send.
#[test]
fn a_short_tile_is_noticed() {
    struct Short;
    impl Tiles for Short {
        type Error = std::convert::Infallible;
        fn read(&self, _: Tile) -> Result<Vec<Hash>, Self::Error> {
            Ok(vec![empty_root(); 3])
        }
    }
    assert!(matches!(Tree::new(&Short, 300).inclusion(7), Err(TreeError::Short(_))));
}

#[test]
fn tiles_become_full_in_order() {
    struct Full(Vec<Tile>);
    impl Sink for Full {
        fn take(&mut self, tile: Tile, hashes: &[Hash]) {
            assert_eq!(hashes.len(), 256);
            self.0.push(tile);
        }
    }
    let (mut builder, mut full) = (Builder::default(), Full(Vec::new()));
    for _ in 0..256 * 256 + 5 {
        builder.push(empty_root(), &mut full);
    }
    let expected = (0..256).map(|index| Tile::full(0, index)).chain([Tile::full(1, 0)]);
    assert_eq!(full.0, expected.collect::<Vec<_>>());
    let partial: Vec<Tile> = builder.partial().map(|(tile, _)| tile).collect();
    assert_eq!(partial, [Tile { level: 0, index: 256, width: 5 }, Tile { level: 2, index: 0, width: 1 }]);
}

#[test]
fn a_tree_goes_on_from_its_tiles() {
    for size in [0, 1, 255, 256, 257, 700, 66_000] {
        let entries = entries(size);
        let (whole, tiles) = built(&entries);
        for len in [0, 1, 200, 255, 256, 300, 512, 65_535, 65_536, 65_800, size].into_iter().filter(|len| *len <= size)
        {
            let mut resumed = Builder::resume(&tiles, len as u64, size as u64).unwrap();
            assert_eq!(resumed.root(), built(&entries[..len]).0.root(), "{len} of {size}");
            let mut full = MemoryTiles::default();
            for entry in &entries[len..] {
                resumed.push(leaf_hash(entry), &mut full);
            }
            assert_eq!((resumed.len(), resumed.root()), (whole.len(), whole.root()), "{len} of {size}");
        }
    }
    let (_, tiles) = built(&entries(300));
    assert!(matches!(Builder::resume(&tiles, 301, 300), Err(TreeError::Outside { asked: 301, size: 300 })));
    assert!(matches!(Builder::resume(&MemoryTiles::default(), 290, 300), Err(TreeError::Tile(_))));
}
