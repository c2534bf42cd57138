// Zooms the charts of a report. Buttons and keys (+, −, arrows, 0), the wheel over a chart that has the focus or with
// Ctrl, a rectangle drawn with the mouse, a finger that pans; a double click shows the whole chart again.
'use strict';
(() => {
const LIMIT = 200, STEP = 1.5, COLUMNS = 2;
const numbers = (svg, name) => svg.dataset[name].split(' ').map(Number);

// The drawing of a chart: wide or narrow, whichever is shown.
class Drawing {
  constructor(svg) {
    this.svg = svg;
    [this.left, this.top, this.width, this.height] = numbers(svg, 'frame');
    this.ends = [numbers(svg, 'x'), numbers(svg, 'y')];
    this.group = svg.querySelector('.plot>g');
    this.ticks = svg.querySelector('.ticks');
    this.whole = this.ticks.innerHTML;
    this.paths = [...svg.querySelectorAll('path[data-fine]')].map(path => ({path, whole: path.getAttribute('d')}));
  }

  // Shows the part [x0, x1] × [y0, y1] of the frame, from its lower left corner, in parts of it.
  show([x0, x1, y0, y1]) {
    const all = x0 === 0 && x1 === 1 && y0 === 0 && y1 === 1;
    const [kx, ky] = [1 / (x1 - x0), 1 / (y1 - y0)];
    const [dx, dy] = [-x0 * kx * this.width, -(1 - y1) * ky * this.height];
    this.group.setAttribute('transform', all ? '' : `matrix(${kx} 0 0 ${ky} ${dx} ${dy})`);
    for (const line of this.paths) line.path.setAttribute('d', all ? line.whole : this.fine(line, x0, x1));
    if (all) this.ticks.innerHTML = this.whole; else this.label(x0, x1, y0, y1);
    for (const mark of this.svg.querySelectorAll('.mark')) {
      const [x, y] = mark.dataset.at.split(' ').map(Number);
      const [u, v] = [x * kx + dx, y * ky + dy];
      mark.setAttribute('transform', `translate(${u - x} ${v - y})`);
      const inside = u >= -1 && u <= this.width + 1 && v >= -1 && v <= this.height + 1;
      mark.setAttribute('visibility', inside ? 'visible' : 'hidden');
    }
  }

  // The path of a line from x0 to x1, from its columns of smallest and largest heights.
  fine(line, x0, x1) {
    if (!line.columns) {
      const bytes = Uint8Array.from(atob(line.path.dataset.fine), c => c.charCodeAt(0));
      line.columns = new Uint16Array(bytes.length / 2).map((_, i) => bytes[2 * i] + 256 * bytes[2 * i + 1]);
    }
    const count = line.columns.length / 2;
    const first = Math.max(0, Math.floor(x0 * count) - 2), last = Math.min(count, Math.ceil(x1 * count) + 2);
    const joined = Math.max(1, Math.floor((last - first) / (COLUMNS * this.width)));
    let path = '', pen = 'M', before = 0;
    const y = n => ((3 * n / 65535 - 1) * this.height).toFixed(4);
    for (let begin = first; begin < last; begin += joined) {
      let low = 65535, high = 0;
      for (let i = begin; i < Math.min(begin + joined, last); i++) {
        const [a, b] = [line.columns[2 * i], line.columns[2 * i + 1]];
        if (a > b) { if (b === 1) pen = 'M'; continue; }
        low = Math.min(low, a); high = Math.max(high, b);
      }
      if (low > high) continue;
      const x = ((begin + 0.5 * joined) / count * this.width).toFixed(4);
      // The end that is nearer to the column before comes first.
      const [near, far] = Math.abs(before - low) <= Math.abs(before - high) ? [low, high] : [high, low];
      path += `${pen}${x} ${y(near)}` + (near !== far ? `L${x} ${y(far)}` : '');
      [pen, before] = ['L', far];
    }
    return path;
  }

  // Ticks and labels of a part.
  label(x0, x1, y0, y1) {
    const {left, top, width, height} = this, bottom = top + height, right = left + width;
    this.ticks.replaceChildren();
    for (const [at, label] of ticks(this.ends[0], x0, x1, width / (width < 400 ? 62 : 88))) {
      const x = left + at * width;
      this.add('path', {class: 'grid', d: `M${x} ${top}L${x} ${bottom}`, stroke: '#e3e7ed'});
      this.add('text', {class: 'faint', x, y: bottom + 19, 'font-size': 14, 'text-anchor': 'middle', fill: '#5b6675'}, label);
    }
    for (const [at, label] of ticks(this.ends[1], y0, y1, height / 44)) {
      const y = bottom - at * height;
      this.add('path', {class: 'grid', d: `M${left} ${y}L${right} ${y}`, stroke: '#e3e7ed'});
      this.add('text', {class: 'faint', x: left - 8, y: y + 5, 'font-size': 14, 'text-anchor': 'end', fill: '#5b6675'}, label);
    }
  }

  add(name, attributes, text) {
    const element = document.createElementNS('http://www.w3.org/2000/svg', name);
    for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
    if (text) element.textContent = text;
    this.ticks.append(element);
  }
}

// Where ticks lie from 0 to 1 and what they say, for the part from a to b of an axis, about `count` of them.
function ticks([low, high, log], a, b, count) {
  const from = low + a * (high - low), to = low + b * (high - low);
  const value = log ? v => 10 ** v : v => v, of = log ? Math.log10 : v => v;
  const [first, last] = [value(from), value(to)];
  const place = v => [(of(v) - from) / (to - from), v];
  let found = [], tick;
  if (log && to - from >= 1) {
    for (let e = Math.floor(from); e <= Math.ceil(to); e++)
      for (const m of to - from > count ? [1] : [1, 2, 5]) found.push(place(m * 10 ** e));
  } else {
    const raw = (last - first) / Math.max(count, 2), power = 10 ** Math.floor(Math.log10(raw));
    const step = [1, 2, 5, 10].map(m => m * power).find(s => s >= raw * 0.999999);
    tick = step;
    for (let i = Math.ceil(first / step - 1e-9); i * step <= last + 1e-9 * step; i++) found.push(place(i * step));
  }
  const say = v => {
    if (log && (Math.abs(v) < 1e-2 || Math.abs(v) >= 1e6)) return v.toExponential(1).replace('-', '−');
    const [one, unit] = log && v >= 1000 ? [1000, 'k'] : [1, ''], scaled = v / one;
    const digits = Math.min(12, Math.max(0, -Math.floor(Math.log10(tick / one) + 1e-9)));
    const text = tick ? scaled.toFixed(digits) : String(+scaled.toPrecision(6));
    return (/[1-9]/.test(text) ? text.replace('-', '−') : text.replace('-', '')) + unit;
  };
  return found.filter(([at]) => at >= -1e-9 && at <= 1 + 1e-9).map(([at, v]) => [at, say(v)]);
}

for (const figure of document.querySelectorAll('figure.chart')) {
  const drawings = [...figure.querySelectorAll('svg.large,svg.small')].map(svg => new Drawing(svg));
  const shown = () => drawings.find(d => d.svg.getBoundingClientRect().width > 0) || drawings[0];
  let part = [0, 1, 0, 1];
  const show = () => { for (const drawing of drawings) drawing.show(part); figure.classList.toggle('zoomed', part[1] - part[0] < 1 || part[3] - part[2] < 1); };
  const within = (a, b) => {
    const size = Math.min(1, Math.max(1 / LIMIT, b - a)), middle = 0.5 * (a + b);
    const begin = Math.min(1 - size, Math.max(0, middle - 0.5 * size));
    return size === 1 ? [0, 1] : [begin, begin + size];
  };
  const set = (x0, x1, y0, y1) => { part = [...within(x0, x1), ...within(y0, y1)]; show(); };
  const reset = () => set(0, 1, 0, 1);
  // Larger by `factor` about a place in parts of the frame.
  const zoom = (factor, u = 0.5, v = 0.5, both = false) => {
    const [x0, x1, y0, y1] = part, at = x0 + u * (x1 - x0), up = y0 + v * (y1 - y0), g = both ? factor : 1;
    set(at - (at - x0) / factor, at + (x1 - at) / factor, up - (up - y0) / g, up + (y1 - up) / g);
  };
  const pan = (u, v) => {
    const [x0, x1, y0, y1] = part, [w, h] = [x1 - x0, y1 - y0];
    set(x0 + u * w, x1 + u * w, y0 + v * h, y1 + v * h);
  };
  // A place of the screen in parts of the frame, from its lower left corner.
  const place = event => {
    const d = shown(), box = d.svg.getBoundingClientRect(), scale = d.svg.viewBox.baseVal.width / box.width;
    const [x, y] = [(event.clientX - box.left) * scale, (event.clientY - box.top) * scale];
    return [(x - d.left) / d.width, 1 - (y - d.top) / d.height];
  };
  const clamp = u => Math.min(1, Math.max(0, u));

  const tools = document.createElement('div');
  tools.className = 'tools';
  for (const [sign, label, act] of [['+', 'Zoom in', () => zoom(STEP * STEP)], ['−', 'Zoom out', () => zoom(1 / STEP / STEP)],
    ['◂', 'Move left', () => pan(-0.25, 0)], ['▸', 'Move right', () => pan(0.25, 0)], ['⤢', 'Show the whole chart', reset]]) {
    const button = document.createElement('button');
    button.type = 'button';
    button.textContent = sign;
    button.title = label;
    button.setAttribute('aria-label', `${label}: ${figure.querySelector('figcaption').textContent}`);
    button.addEventListener('click', act);
    tools.append(button);
  }
  figure.prepend(tools);
  figure.tabIndex = 0;

  figure.addEventListener('keydown', event => {
    const acts = {'+': () => zoom(STEP), '=': () => zoom(STEP), '-': () => zoom(1 / STEP), '0': reset, Escape: reset,
      ArrowLeft: () => pan(-0.1, 0), ArrowRight: () => pan(0.1, 0), ArrowUp: () => pan(0, 0.1), ArrowDown: () => pan(0, -0.1)};
    const act = acts[event.key], arrow = event.key.startsWith('Arrow');
    if (!act || event.ctrlKey || event.metaKey || event.altKey || (arrow && !figure.classList.contains('zoomed'))) return;
    event.preventDefault();
    act();
  });
  for (const {svg} of drawings) {
    svg.addEventListener('wheel', event => {
      if (!event.ctrlKey && document.activeElement !== figure) return;
      event.preventDefault();
      const [u, v] = place(event);
      zoom(STEP ** -Math.sign(event.deltaY), clamp(u), clamp(v), event.shiftKey);
    }, {passive: false});
    svg.addEventListener('dblclick', reset);
    let from = null, last = null, box = null;
    svg.addEventListener('pointerdown', event => {
      if (event.button !== 0) return;
      from = last = place(event);
      figure.focus({preventScroll: true});
      if (event.pointerType !== 'mouse') return;
      svg.setPointerCapture(event.pointerId);
      event.preventDefault();
    });
    svg.addEventListener('pointermove', event => {
      if (!from) return;
      const to = place(event), drawing = drawings.find(d => d.svg === svg);
      if (event.pointerType !== 'mouse') {
        if (figure.classList.contains('zoomed')) pan(last[0] - to[0], last[1] - to[1]);
        last = place(event);
        return;
      }
      last = to;
      if (!box) {
        box = document.createElementNS('http://www.w3.org/2000/svg', 'rect');
        box.setAttribute('class', 'choice');
        svg.append(box);
      }
      const [u, U] = [from[0], to[0]].map(clamp).sort((a, b) => a - b), [v, V] = chosen(from, to, drawing);
      const at = {x: drawing.left + u * drawing.width, y: drawing.top + (1 - V) * drawing.height,
        width: (U - u) * drawing.width, height: (V - v) * drawing.height};
      for (const [key, value] of Object.entries(at)) box.setAttribute(key, value);
    });
    // A flat rectangle chooses the whole height.
    const chosen = (a, b, d) => Math.abs(a[1] - b[1]) * d.height < 12 ? [0, 1] : [a[1], b[1]].map(clamp).sort((p, q) => p - q);
    const end = event => {
      const start = from, drawing = drawings.find(d => d.svg === svg);
      from = null;
      if (box) box.remove();
      box = null;
      if (!start || event.type === 'pointercancel' || event.pointerType !== 'mouse') return;
      const to = place(event), [u, U] = [start[0], to[0]].map(clamp).sort((a, b) => a - b);
      if ((U - u) * drawing.width < 6) return;
      const [v, V] = chosen(start, to, drawing), [x0, x1, y0, y1] = part;
      set(x0 + u * (x1 - x0), x0 + U * (x1 - x0), y0 + v * (y1 - y0), y0 + V * (y1 - y0));
    };
    svg.addEventListener('pointerup', end);
    svg.addEventListener('pointercancel', end);
  }
}
})();
