// The list of completions at the cursor of a text.

import {complete} from './completion.js';

/** The most options that are shown. */
const MOST = 60;

/** Opens `list` on Ctrl+Space in `area`, or by `button`; `schema()` gives the JSON Schema of the text. */
export function attach(area, list, button, schema) {
  let from = 0, options = [], chosen = 0;
  const close = () => {
    list.hidden = true;
    area.setAttribute('aria-expanded', false);
    area.removeAttribute('aria-activedescendant');
  };

  async function open() {
    const known = await schema().catch(() => undefined);
    if (!known) return;
    ({from, options} = complete(known, area.value, area.selectionStart));
    options = options.slice(0, MOST);
    if (!options.length) return close();
    list.replaceChildren(...options.map(({label, about}, i) => {
      const item = document.createElement('li'), name = document.createElement('b');
      item.id = `completion-${i}`;
      item.setAttribute('role', 'option');
      name.textContent = label;
      item.append(name, about ? ` ${about}` : '');
      // The text keeps the focus.
      item.addEventListener('pointerdown', event => event.preventDefault());
      item.addEventListener('click', () => take(i));
      return item;
    }));
    place();
    list.hidden = false;
    area.setAttribute('aria-expanded', true);
    choose(0);
  }

  /** Below the cursor: the letters are all as wide as each other, and lines do not wrap. */
  function place() {
    const lines = area.value.slice(0, from).split('\n'), style = getComputedStyle(area);
    const measure = document.createElement('canvas').getContext('2d');
    measure.font = style.font;
    const left = area.offsetLeft + parseFloat(style.paddingLeft) + measure.measureText(lines.at(-1)).width - area.scrollLeft;
    const top = lines.length * parseFloat(style.lineHeight) + parseFloat(style.paddingTop) - area.scrollTop;
    list.style.left = `${Math.max(0, Math.min(left, area.parentElement.clientWidth - 260))}px`;
    const below = area.clientHeight - top > 120;
    list.style.top = below ? `${top}px` : 'auto';
    list.style.bottom = below ? 'auto' : `${area.clientHeight - top + parseFloat(style.lineHeight) + 4}px`;
    list.style.maxHeight = `${Math.min(210, below ? area.clientHeight - top - 8 : top - 30)}px`;
  }

  function choose(i) {
    list.children[chosen]?.setAttribute('aria-selected', false);
    chosen = (i + options.length) % options.length;
    list.children[chosen].setAttribute('aria-selected', true);
    list.children[chosen].scrollIntoView({block: 'nearest'});
    area.setAttribute('aria-activedescendant', `completion-${chosen}`);
  }

  function take(i) {
    area.setRangeText(options[i].insert, from, area.selectionStart, 'end');
    close();
    area.focus();
    area.dispatchEvent(new Event('input'));
  }

  area.addEventListener('keydown', event => {
    if (event.code === 'Space' && event.ctrlKey) {
      event.preventDefault();
      return open();
    }
    if (list.hidden) return;
    const act = {ArrowDown: () => choose(chosen + 1), ArrowUp: () => choose(chosen - 1), Enter: () => take(chosen),
      Tab: () => take(chosen), Escape: close}[event.key];
    if (!act) return;
    event.preventDefault();
    event.stopPropagation();
    act();
  });
  area.addEventListener('input', event => {
    if (!list.hidden && event.inputType) open();
  });
  area.addEventListener('blur', close);
  button.addEventListener('click', () => {
    area.focus();
    open();
  });
}
