// A module, and what goes in and out of it besides numbers: see hamiltone_input and hamiltone_answer.

/** Compiles a module; servers that do not know the type of its file are no hindrance. */
export const compile = async path => WebAssembly.compile(await (await fetch(path)).arrayBuffer());

/** Writes the input of the next call. */
export function give(wasm, bytes) {
  const at = wasm.hamiltone_input(bytes.length);
  new Uint8Array(wasm.memory.buffer, at, bytes.length).set(bytes);
}

/** A copy of the answer of the last call. */
export const answer = wasm =>
  new Uint8Array(wasm.memory.buffer, wasm.hamiltone_answer(), wasm.hamiltone_answer_bytes()).slice();
