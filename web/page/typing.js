// The computer's keyboard as keys: two rows from C, by the places of the keys and not their letters.

const ROW = ['KeyA', 'KeyW', 'KeyS', 'KeyE', 'KeyD', 'KeyF', 'KeyT', 'KeyG', 'KeyY', 'KeyH', 'KeyU', 'KeyJ', 'KeyK', 'KeyO', 'KeyL', 'KeyP',
  'Semicolon'];
const WRITES = 'input:not([type=range]):not([type=checkbox]), textarea, select';

/** Plays while nothing is written: `play(key, down)`, `pedal(down)` with Shift, `move(octaves)` with Z and X; `first()` is the key of A. */
export function typing({play, pedal, move, first}) {
  const down = new Map();
  let shift = false;
  const release = code => {
    if (down.has(code)) play(down.get(code), false);
    down.delete(code);
  };
  // A capital that is written moves no pedal: only one that Shift pressed is released.
  const press = pressed => {
    if (shift !== pressed) pedal(shift = pressed);
  };
  addEventListener('keydown', event => {
    if (event.repeat || event.ctrlKey || event.metaKey || event.altKey || event.target.closest?.(WRITES)) return;
    if (event.key === 'Shift') return press(true);
    if (event.code === 'KeyZ') return move(-1);
    if (event.code === 'KeyX') return move(1);
    const at = ROW.indexOf(event.code);
    if (at < 0) return;
    event.preventDefault();
    release(event.code);
    down.set(event.code, first() + at);
    play(first() + at, true);
  });
  addEventListener('keyup', event => event.key === 'Shift' ? press(false) : release(event.code));
  addEventListener('blur', () => {
    [...down.keys()].forEach(release);
    press(false);
  });
}
