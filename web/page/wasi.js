// The part of WASI that the module of scenes needs: a folder of files that it can read, a clock, random numbers. All else says that it is not there.
//
// Interface: wasi_snapshot_preview1, https://github.com/WebAssembly/WASI/blob/main/legacy/preview1/docs.md

const [SUCCESS, BADF, NOENT, NOSYS] = [0, 8, 44, 52];
const [FOLDER, FILE] = [3, 4];
/** The number of the open folder `/`. */
const ROOT = 3;
const ALL_RIGHTS = 0xffffffffn;

/** An instance of a module; `read(name)` gives the bytes of a file or undefined, `more` are other imports. What the module writes to its standard error is in `errors`. */
export function instantiate(module, read, more = {}) {
  const open = new Map();
  const said = {errors: ''};
  let memory, next = ROOT + 1;
  const view = () => new DataView(memory.buffer);
  const bytes = (at, length) => new Uint8Array(memory.buffer, at, length);
  const text = (at, length) => new TextDecoder().decode(bytes(at, length).slice());
  const lists = (at, count) => Array.from({length: count}, (_, i) =>
    bytes(view().getUint32(at + 8 * i, true), view().getUint32(at + 8 * i + 4, true)));
  const stat = (at, type, size) => {
    bytes(at, 64).fill(0);
    view().setUint8(at + 16, type);
    view().setBigUint64(at + 32, BigInt(size), true);
    return SUCCESS;
  };
  const found = (at, length) => read(text(at, length));
  const none = (first, second) => {
    view().setUint32(first, 0, true);
    view().setUint32(second, 0, true);
    return SUCCESS;
  };
  const known = {
    environ_sizes_get: none,
    environ_get: () => SUCCESS,
    clock_time_get(clock, precision, at) {
      const ms = clock === 0 ? Date.now() : performance.now();
      view().setBigUint64(at, BigInt(Math.round(ms * 1e6)), true);
      return SUCCESS;
    },
    random_get: (at, length) => (crypto.getRandomValues(bytes(at, length)), SUCCESS),
    fd_prestat_get(file, at) {
      if (file !== ROOT) return BADF;
      view().setUint32(at, 0, true);
      view().setUint32(at + 4, 1, true);
      return SUCCESS;
    },
    fd_prestat_dir_name: (file, at) => file === ROOT ? (bytes(at, 1)[0] = 47, SUCCESS) : BADF,
    fd_fdstat_get(file, at) {
      bytes(at, 24).fill(0);
      view().setUint8(at, file === ROOT ? FOLDER : open.has(file) ? FILE : 2);
      view().setBigUint64(at + 8, ALL_RIGHTS, true);
      view().setBigUint64(at + 16, ALL_RIGHTS, true);
      return SUCCESS;
    },
    path_filestat_get(file, flags, path, length, at) {
      const content = found(path, length);
      return content ? stat(at, FILE, content.length) : NOENT;
    },
    path_open(file, flags, path, length, how, rights, inherited, fdflags, at) {
      const content = found(path, length);
      if (!content) return NOENT;
      open.set(next, {content, at: 0});
      view().setUint32(at, next++, true);
      return SUCCESS;
    },
    fd_filestat_get: (file, at) => open.has(file) ? stat(at, FILE, open.get(file).content.length) : BADF,
    fd_read(file, list, count, at) {
      const from = open.get(file);
      if (!from) return BADF;
      let all = 0;
      for (const to of lists(list, count)) {
        const part = from.content.subarray(from.at, from.at + to.length);
        to.set(part);
        from.at += part.length;
        all += part.length;
      }
      view().setUint32(at, all, true);
      return SUCCESS;
    },
    fd_write(file, list, count, at) {
      if (file > 2) return BADF;
      const all = lists(list, count);
      for (const part of all) said.errors += new TextDecoder().decode(part.slice());
      view().setUint32(at, all.reduce((sum, part) => sum + part.length, 0), true);
      return SUCCESS;
    },
    fd_close: file => open.delete(file) ? SUCCESS : BADF,
    proc_exit() {
      throw new Error(said.errors || 'the module has ended');
    },
  };
  const missing = WebAssembly.Module.imports(module).filter(({module}) => module === 'wasi_snapshot_preview1');
  const wasi = Object.fromEntries(missing.map(({name}) => [name, known[name] ?? (() => NOSYS)]));
  const wasm = new WebAssembly.Instance(module, {wasi_snapshot_preview1: wasi, ...more}).exports;
  memory = wasm.memory;
  wasm._initialize?.();
  return {wasm, said};
}
