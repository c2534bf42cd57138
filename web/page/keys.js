// The keys on the screen: mouse, fingers, or the keyboard with the focus on them.

const NAMES = ['C', 'C♯', 'D', 'D♯', 'E', 'F', 'F♯', 'G', 'G♯', 'A', 'A♯', 'B'];
const BLACK = [1, 3, 6, 8, 10];
/** The least width of a white key, px: a finger. */
const WIDTH = 34;

export const isBlack = key => BLACK.includes(key % 12);
export const nameOf = key => `${NAMES[key % 12]}${Math.floor(key / 12) - 1}`;

export class Keys {
  /** In an element; `play(key, down)` is told of each key. */
  constructor(element, play) {
    Object.assign(this, {element, play, keys: [], first: 60, held: new Map()});
    new ResizeObserver(() => this.draw()).observe(element);
    element.addEventListener('pointerdown', event => this.touch(event));
    element.addEventListener('pointermove', event => this.held.has(event.pointerId) && this.touch(event));
    for (const name of ['pointerup', 'pointercancel', 'lostpointercapture']) {
      element.addEventListener(name, event => this.leave(event.pointerId));
    }
    element.addEventListener('keydown', event => this.press(event, true));
    element.addEventListener('keyup', event => this.press(event, false));
    element.addEventListener('focusout', () => this.leave('focus'));
    element.addEventListener('contextmenu', event => event.preventDefault());
  }

  /** Shows the keys of an instrument, from about the middle of them. */
  show(keys) {
    this.keys = keys;
    const middle = keys[keys.length >> 1] ?? 60;
    this.first = middle - middle % 12;
    this.draw();
  }

  /** Moves by so many octaves, as far as there are keys. */
  move(octaves) {
    const to = this.first + 12 * octaves;
    if (to > this.keys.at(-1) || to + this.span <= this.keys[0]) return;
    this.first = Math.max(0, to);
    this.draw();
  }

  draw() {
    const whites = Math.max(7, Math.floor(this.element.clientWidth / WIDTH));
    const drawn = [];
    let white = 0;
    for (let key = this.first; key < 128 && (white < whites || isBlack(key)); key++) {
      const button = document.createElement('button');
      button.type = 'button';
      button.dataset.key = key;
      button.className = isBlack(key) ? 'black' : 'white';
      button.disabled = !this.keys.includes(key);
      button.tabIndex = -1;
      button.setAttribute('aria-label', nameOf(key));
      button.textContent = key % 12 === 0 ? nameOf(key) : '';
      const wide = 100 / whites, left = isBlack(key) ? (white - 0.32) * wide : white * wide;
      button.style.cssText = `left:${left}%;width:${isBlack(key) ? 0.64 * wide : wide}%`;
      if (!isBlack(key)) white++;
      drawn.push(button);
    }
    // A black key at the right edge would be half outside.
    if (drawn.at(-1)?.className === 'black') drawn.pop();
    this.span = drawn.length;
    this.element.replaceChildren(...drawn);
    (drawn.find(button => !button.disabled) ?? drawn[0]).tabIndex = 0;
  }

  /** Marks a key that sounds. */
  mark(key, down) {
    this.button(key)?.classList.toggle('down', down);
  }

  button(key) {
    return this.element.querySelector(`[data-key="${key}"]`);
  }

  touch(event) {
    if (event.type === 'pointerdown') {
      if (event.button !== 0) return;
      this.element.setPointerCapture(event.pointerId);
    }
    const under = document.elementFromPoint(event.clientX, event.clientY)?.closest?.('[data-key]:enabled');
    const key = under && this.element.contains(under) ? +under.dataset.key : undefined;
    if (this.held.has(event.pointerId) && this.held.get(event.pointerId) === key) return;
    this.leave(event.pointerId);
    this.held.set(event.pointerId, key);
    if (key !== undefined) this.play(key, true);
  }

  leave(source) {
    const key = this.held.get(source);
    this.held.delete(source);
    if (key !== undefined) this.play(key, false);
  }

  press(event, down) {
    const step = {ArrowLeft: -1, ArrowRight: 1, Home: -128, End: 128}[event.key];
    const buttons = [...this.element.querySelectorAll(':enabled')], now = buttons.indexOf(document.activeElement);
    if (step && down && now >= 0) {
      const next = buttons[Math.max(0, Math.min(buttons.length - 1, now + step))];
      buttons[now].tabIndex = -1;
      next.tabIndex = 0;
      next.focus();
      event.preventDefault();
    } else if ((event.key === ' ' || event.key === 'Enter') && now >= 0) {
      event.preventDefault();
      if (event.repeat) return;
      this.leave('focus');
      if (!down) return;
      this.held.set('focus', +buttons[now].dataset.key);
      this.play(+buttons[now].dataset.key, true);
    }
  }
}
