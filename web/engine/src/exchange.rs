//! What goes in and out of the module besides numbers.

#![expect(unsafe_code, reason = "names that are exported; the addresses are only handed out, never read")]

use std::cell::RefCell;

thread_local! {
    static INPUT: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
    static ANSWER: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
}

/// All is well.
pub const GOOD: i32 = 0;
/// The result is not good, or the call had no effect.
pub const NOT_GOOD: i32 = 1;
/// The input is wrong: the answer says what.
pub const WRONG: i32 = 2;

/// The address of so many bytes of memory, zeros, for the input of the next call, which takes them.
#[unsafe(no_mangle)]
pub extern "C" fn hamiltone_input(bytes: usize) -> *mut u8 {
    INPUT.with_borrow_mut(|input| {
        *input = vec![0; bytes];
        input.as_mut_ptr()
    })
}

/// The address of the answer of the last call that gave one: text in UTF-8, or bytes. It is valid until the next call.
#[unsafe(no_mangle)]
pub extern "C" fn hamiltone_answer() -> *const u8 {
    ANSWER.with_borrow(Vec::as_ptr)
}

/// How many bytes the answer has.
#[unsafe(no_mangle)]
pub extern "C" fn hamiltone_answer_bytes() -> usize {
    ANSWER.with_borrow(Vec::len)
}

/// Takes the input.
pub(crate) fn input() -> Vec<u8> {
    INPUT.take()
}

/// Gives an answer, and the status.
pub(crate) fn answer(bytes: impl Into<Vec<u8>>, status: i32) -> i32 {
    ANSWER.set(bytes.into());
    status
}
