use std::thread;

use rustix::process::getpriority_process;

use super::*;

#[test]
fn only_the_thread_that_asks_for_it_lets_others_go_first() {
    let own = || getpriority_process(None).unwrap();
    let before = own();
    let asked = thread::spawn(move || {
        let_others_go_first();
        own()
    });
    assert_eq!((asked.join().unwrap(), own()), (LOWEST, before));
}
