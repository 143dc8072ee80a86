//! How JavaScript reaches the module: three functions over addresses in its memory.
//!
//! The host asks [`plybook_alloc`] for as many bytes as its request has, writes the request there, and passes it to
//! [`plybook_answer`], which takes it back. The answer is an address in the upper and a length in the lower 32 bits;
//! the host reads it and gives it back with [`plybook_free`]. These are the only unsafe lines of the house.
#![allow(unsafe_code)]

use std::cell::RefCell;

use crate::Module;

thread_local! {
    static MODULE: RefCell<Module> = RefCell::default();
}

/// The address of `len` new bytes, for a request.
#[unsafe(no_mangle)]
pub extern "C" fn plybook_alloc(len: usize) -> *mut u8 {
    Box::into_raw(vec![0_u8; len].into_boxed_slice()).cast()
}

/// Gives bytes back.
///
/// # Safety
/// They are `len` bytes that [`plybook_alloc`] or [`plybook_answer`] gave, and are not used again.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn plybook_free(at: *mut u8, len: usize) {
    // SAFETY: both functions leave a boxed slice of exactly this length to the host.
    drop(unsafe { Box::from_raw(std::ptr::slice_from_raw_parts_mut(at, len)) });
}

/// Answers a request ([`Module::answer`]): the address in the upper, and the length in the lower 32 bits.
///
/// # Safety
/// As for [`plybook_free`]; the request is given back by this.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn plybook_answer(at: *mut u8, len: usize) -> u64 {
    // SAFETY: the host leaves a boxed slice of exactly this length to this function.
    let request = unsafe { Box::from_raw(std::ptr::slice_from_raw_parts_mut(at, len)) };
    let answer = MODULE.with_borrow_mut(|module| module.answer(&request)).into_boxed_slice();
    let len = answer.len() as u64;
    (Box::into_raw(answer).cast::<u8>() as u64) << 32 | len
}
