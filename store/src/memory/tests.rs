use super::*;

#[test]
fn caches_give_way_to_what_is_always_in_memory_from_a_quarter_on() {
    let memory = Memory::of(800);
    let beside = |bytes| memory.beside(bytes).0;
    assert_eq!([0, 200, 201, 600, 900, u64::MAX].map(beside), [800, 800, 799, 400, 100, 100]);
}
