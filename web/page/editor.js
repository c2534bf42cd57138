// The part of the page on which scenes are written and rendered.

import {attach} from './suggestions.js';
import {fromHash, toHash} from './link.js';
import {RATE} from './sound.js';

const $ = id => document.getElementById(id);
/** The text at first. */
const FIRST = 'scenes/plucked_string.toml';
/** A text is checked when it has not changed for so long, ms. */
const PAUSE = 600;

/** The thread of scenes: one task at a time; a new thread takes the place of one that is stopped. */
class Scenes {
  constructor(paths) {
    Object.assign(this, {paths, files: {}, id: 0, tasks: new Map()});
  }

  perform(task, told) {
    this.worker ??= this.begin();
    const id = ++this.id;
    this.worker.postMessage({id, task, files: this.files, paths: this.paths});
    return new Promise((done, failed) => this.tasks.set(id, {done, failed, told}));
  }

  begin() {
    const worker = new Worker('worker.js', {type: 'module'});
    worker.onmessage = ({data: {id, outcome, error, progress}}) => {
      const task = this.tasks.get(id);
      if (progress !== undefined) return task?.told?.(progress);
      this.tasks.delete(id);
      if (error) task?.failed(new Error(error)); else task?.done(outcome);
    };
    return worker;
  }

  stop() {
    this.worker?.terminate();
    this.worker = undefined;
    for (const task of this.tasks.values()) task.failed(new Error('stopped'));
    this.tasks.clear();
  }
}

/** Begins with the scene of the link, if it has one; `play` is the other part of the page. */
export async function begin({scenes: paths, instruments, files}, play) {
  const area = $('text'), scenes = new Scenes(files);
  let schemas, timer, urls = [], busy = false;
  const say = (text, bad = false) => {
    $('editor-status').textContent = text;
    $('editor-status').classList.toggle('bad', bad);
  };
  const isInstrument = () => /^[ \t]*(\[instrument\]|instrument\s*[.=])/m.test(area.value);

  function changed() {
    const count = area.value.split('\n').length;
    $('lines').textContent = Array.from({length: count}, (_, i) => i + 1).join('\n');
    $('lines').scrollTop = area.scrollTop;
    $('render').textContent = isInstrument() ? 'Play it' : 'Render';
    clearTimeout(timer);
    timer = setTimeout(check, PAUSE);
  }

  function put(text) {
    area.value = text;
    area.scrollTop = area.selectionStart = area.selectionEnd = 0;
    $('result').hidden = true;
    changed();
  }

  async function check() {
    if (busy) return;
    try {
      const outcome = await scenes.perform({work: 'check', text: area.value});
      if (busy) return;
      if (outcome.isInstrument) {
        list([]);
        say('An instrument: it is read when it is played.');
      } else if (outcome.problems) list(outcome.problems);
      else {
        list([]);
        say(`The scene can be rendered: ${outcome.title}.`);
      }
    } catch (error) {
      if (error.message !== 'stopped') say(error.message, true);
    }
  }

  /** Lists problems; each goes to its place in the text. */
  function list(problems) {
    if (problems.length) say(problems.length === 1 ? '1 problem:' : `${problems.length} problems:`, true);
    $('problems').replaceChildren(...problems.map(({line, column, message, help}) => {
      const item = document.createElement('li'), button = document.createElement('button');
      button.type = 'button';
      button.textContent = line ? `Line ${line}, column ${column}: ${message}` : message;
      if (help) {
        const more = document.createElement('small');
        more.textContent = help;
        button.append(more);
      }
      button.addEventListener('click', () => go(line, column));
      item.append(button);
      return item;
    }));
  }

  function go(line = 1, column = 1) {
    const lines = area.value.split('\n');
    const begin = lines.slice(0, line - 1).reduce((sum, each) => sum + each.length + 1, 0);
    area.focus();
    area.setSelectionRange(begin + column - 1, begin + lines[line - 1].length);
    area.scrollTop = (line - 5) * parseFloat(getComputedStyle(area).lineHeight);
  }

  async function perform(work, then) {
    // A check that is not over would be waited for.
    scenes.stop();
    clearTimeout(timer);
    busy = true;
    list([]);
    $('stop').disabled = false;
    $('render').disabled = true;
    $('progress').hidden = false;
    $('progress').removeAttribute('value');
    const begin = performance.now();
    try {
      const outcome = await scenes.perform({work, text: area.value, rate: RATE}, part => $('progress').value = part);
      if (outcome.problems) list(outcome.problems);
      else await then(outcome, (performance.now() - begin) / 1000);
    } catch (error) {
      say(error.message === 'stopped' ? 'Stopped.' : error.message, error.message !== 'stopped');
    }
    busy = false;
    $('stop').disabled = true;
    $('render').disabled = false;
    $('progress').hidden = true;
  }

  function run() {
    if (busy) return;
    if (isInstrument()) {
      say('The instrument is read …');
      return perform('plan', async ({plan}) => {
        await play.open(plan.buffer);
        say('The instrument is played above.');
      });
    }
    say('Rendering …');
    return perform('render', show);
  }

  function show({audit, reason, buses, sounds, report}, seconds) {
    urls.forEach(URL.revokeObjectURL);
    const file = (content, type, name) => {
      const url = URL.createObjectURL(new Blob([content], {type})), link = document.createElement('a');
      urls.push(url);
      Object.assign(link, {href: url, download: name, textContent: name});
      return link;
    };
    urls = [];
    const word = {green: 'good', amber: '', red: 'bad'}[audit.verdict];
    $('result-verdict').className = word;
    const [residual, tolerance] = [audit.residual_max_relative, audit.residual_tolerance].map(x => x?.toExponential(1).replace('-', '−') ?? 'infinite');
    $('result-verdict').textContent = `Verdict: ${audit.verdict}. ${reason}${reason ? '. ' : ''}Largest relative energy residual ${residual} (tolerance ${tolerance}).`;
    const names = buses.map((bus, i) => i ? `sound.${bus}.wav` : 'sound.wav');
    $('sounds').replaceChildren('Files: ', ...sounds.map((sound, i) => file(sound, 'audio/wav', names[i])),
      file(JSON.stringify(audit, null, 2), 'application/json', 'audit.json'), file(report, 'text/html', 'report.html'));
    $('report').srcdoc = report;
    $('result').hidden = false;
    document.body.dataset.rendered = seconds.toFixed(2);
    say(`${audit.title}: ${audit.duration_s} s rendered in ${seconds.toFixed(1)} s.`);
  }

  const text = async path => (await fetch(path)).text();
  const option = path => new Option(path.split('/').at(-1).replace('.toml', '').replaceAll('_', ' '), path);
  const group = (label, options) => {
    const made = document.createElement('optgroup');
    made.label = label;
    made.append(...options);
    return made;
  };
  $('start').append(group('Scenes', paths.map(option)),
    group('Instruments', instruments.map(({name}) => option(`instruments/${name}.toml`))));
  $('start').addEventListener('change', async event => {
    history.replaceState(null, '', location.pathname + location.search);
    put(await text(event.target.value));
  });
  $('files').addEventListener('change', async ({target}) => {
    for (const file of target.files) scenes.files[file.name] = new Uint8Array(await file.arrayBuffer());
    changed();
  });
  $('render').addEventListener('click', run);
  $('stop').addEventListener('click', () => scenes.stop());
  $('share').addEventListener('click', async () => {
    const hash = await toHash(area.value);
    history.replaceState(null, '', `#${hash}`);
    await navigator.clipboard.writeText(location.href).then(
      () => say('The link is copied: it has the whole scene.'), () => say('The link is in the address of the page: it has the whole scene.'));
  });
  $('save').addEventListener('click', () => {
    const link = document.createElement('a');
    link.href = URL.createObjectURL(new Blob([area.value], {type: 'application/toml'}));
    link.download = 'scene.toml';
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 1000);
  });
  area.addEventListener('input', changed);
  area.addEventListener('scroll', () => $('lines').scrollTop = area.scrollTop);
  area.addEventListener('keydown', event => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) run();
  });
  attach(area, $('completions'), $('complete'), async () => {
    schemas ??= scenes.perform({work: 'schema'}).then(outcome => outcome.schemas);
    // Stopped with a render: the next time it is asked for again.
    schemas.catch(() => schemas = undefined);
    return (await schemas)[isInstrument() ? 1 : 0];
  });

  async function open() {
    const shared = await fromHash(location.hash).catch(() => say('The scene of this link cannot be read: it is cut or changed.', true));
    if (shared === undefined) return false;
    put(shared);
    $('editor').scrollIntoView();
    return true;
  }
  addEventListener('hashchange', open);
  if (!await open()) {
    $('start').value = FIRST;
    put(await text(FIRST));
  }
}
