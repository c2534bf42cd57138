// The part of the page on which an instrument is played.

import {Keys} from './keys.js';
import {listen} from './midi.js';
import {RATE, Sound} from './sound.js';
import {typing} from './typing.js';

const $ = id => document.getElementById(id);
const say = (text, bad = false) => {
  $('play-status').textContent = text;
  $('play-status').classList.toggle('bad', bad);
};
const number = (x, digits) => x.toPrecision(digits).replace('-', '−');
const joule = x => x === 0 ? '0 J' : `${number(x, 3)} J`;
/** The instrument that is chosen at first: small, and light to play. */
const FIRST = 'marimba';
/** Beyond this load, over so many reports, it is told that the sound has gaps. */
const OVERLOAD = 0.95, REPORTS = 10;

/** Begins with the first instrument of the index; `open(plan, about)` plays another plan. */
export function begin(instruments) {
  let begun = 0, chosen, late = 0;
  const sound = new Sound(told);
  const keys = new Keys($('keys'), play);
  const counts = new Map();

  // The plan of an instrument of the index is fetched when it is chosen, and loaded at the first note.
  function choose(about, plan) {
    chosen = {about, plan, loaded: false};
    plan.catch(error => say(`The instrument cannot be loaded: ${error.message}`, true));
    show(about);
    if (sound.context) load();
  }

  function load() {
    if (chosen.loaded) return void sound.begin();
    chosen.loaded = true;
    begun = performance.now();
    say(`Loading ${chosen.about.title} …`);
    const loading = chosen;
    sound.load(chosen.plan).then(node => {
      if (loading === chosen) say(`${node.about.title} is ready.`);
    }, error => loading === chosen && say(`The instrument cannot be played: ${error.message}`, true));
    chosen.about.parameters.forEach((parameter, i) => {
      if (parameter.value !== parameter.default) sound.call('set_parameter', i, parameter.value);
    });
  }

  function play(key, down) {
    if (!chosen.about.keys.includes(key)) return;
    // A key that two hands hold is released by the last.
    const count = Math.max(0, (counts.get(key) ?? 0) + (down ? 1 : -1));
    counts.set(key, count);
    if (down) call('note_on', key, $('velocity').value / 127);
    else if (count === 0) call('note_off', key);
    keys.mark(key, count > 0);
  }

  function call(...args) {
    load();
    sound.call(...args);
  }

  function show(about) {
    counts.clear();
    keys.show(about.keys);
    $('bend-label').hidden = !about.bends;
    $('modulation-label').hidden = !about.controls.includes(1);
    $('sustain').hidden = !about.controls.includes(64);
    $('sustain').setAttribute('aria-pressed', false);
    $('preset-label').hidden = !about.presets?.length;
    $('preset').replaceChildren(new Option('Default', ''), ...(about.presets ?? []).map(({title}, i) => new Option(title, i)));
    $('parameters').hidden = !about.parameters.length;
    $('parameters').replaceChildren($('parameters').firstElementChild, ...about.parameters.map(slider));
    ['supplied', 'dissipated', 'stored'].forEach(name => $(name).textContent = '0 J');
    $('residual').textContent = '–';
    verdict('nothing was played', '');
  }

  function slider(parameter, i) {
    const label = document.createElement('label'), input = document.createElement('input'), output = document.createElement('output');
    const about = document.createElement('span');
    const [low, high] = parameter.range;
    about.textContent = parameter.name.replaceAll('_', ' ');
    Object.assign(input, {type: 'range', min: low, max: high, step: (high - low) / 200, title: parameter.about});
    label.title = parameter.about;
    label.append(about, output, input);
    parameter.show = value => {
      parameter.value = value;
      input.value = value;
      output.textContent = `${+value.toFixed(1)} ${parameter.unit}`.replace('-', '−');
    };
    parameter.show(parameter.default);
    input.addEventListener('input', () => {
      parameter.show(+input.value);
      if (chosen.loaded) sound.call('set_parameter', i, parameter.value);
    });
    return label;
  }

  function told(message) {
    if (message.sounds) {
      // What the page is timed by: from the first touch to the first sample that is not 0.
      document.body.dataset.firstSound = (performance.now() - begun).toFixed(0);
    }
    if (message.failed) return say(`The instrument has stopped: ${message.failed}`, true);
    if (message.level !== undefined) {
      const decibel = 20 * Math.log10(message.level);
      $('level').value = Math.max(-60, decibel);
      $('level-text').textContent = message.level ? `${number(decibel, 2)} dBFS` : '−∞ dBFS';
      $('load').value = message.load;
      $('load-text').textContent = `${(100 * message.load).toFixed(0)} %`;
      late = message.load > OVERLOAD ? late + 1 : 0;
      if (late === REPORTS) {
        say(`This takes longer than it sounds: ${message.load.toFixed(1)} times real time. There are gaps; hold fewer notes, or render it.`, true);
      }
    }
    if (message.balance) balance(message.balance);
  }

  function balance([supplied, dissipated, slept, stored, work, residual, tolerance, good, refused]) {
    document.body.dataset.balance = good;
    $('supplied').textContent = joule(supplied + work);
    $('dissipated').textContent = joule(dissipated);
    $('stored').textContent = joule(stored);
    $('residual').textContent = `${residual.toExponential(1)} (tolerance ${tolerance.toExponential(1)})`.replaceAll('e-', 'e−');
    if (refused) verdict(`${refused} gestures were refused`, 'bad');
    else if (supplied || slept || stored) verdict(good ? 'exact: ok' : 'violated', good ? 'good' : 'bad');
  }

  function verdict(text, mark) {
    $('verdict').textContent = text;
    $('verdict').className = mark;
  }

  function pedal(down) {
    if ($('sustain').hidden) return;
    $('sustain').setAttribute('aria-pressed', down);
    call('control', 64, down ? 1 : 0);
  }

  function silence() {
    if (chosen.loaded) sound.silence();
    for (const key of counts.keys()) keys.mark(key, false);
    counts.clear();
    if (!$('sustain').hidden) $('sustain').setAttribute('aria-pressed', false);
  }

  const fetched = ({name, bytes}) => fetch(`plans/${name}-${RATE}.plan`).then(answer => {
    if (!answer.ok) throw new Error(`the server answers ${answer.status}`);
    return answer.arrayBuffer();
  });
  const ofIndex = about => {
    if (about.bytes > 1e6) say(`${about.title}: ${(about.bytes / 1e6).toFixed(1)} MB are fetched.`);
    else say('');
    choose(about, fetched(about));
  };
  $('instrument').replaceChildren(...instruments.map(({title}, i) => new Option(title, i)));
  $('instrument').value = Math.max(0, instruments.findIndex(({name}) => name === FIRST));
  $('instrument').addEventListener('change', event => ofIndex(instruments[event.target.value]));
  $('preset').addEventListener('change', event => {
    const {parameters, presets} = chosen.about, values = presets[event.target.value]?.values;
    parameters.forEach((parameter, i) => {
      parameter.show(values?.[i] ?? parameter.default);
      if (chosen.loaded) sound.call('set_parameter', i, parameter.value);
    });
  });
  $('lower').addEventListener('click', () => keys.move(-1));
  $('higher').addEventListener('click', () => keys.move(1));
  $('panic').addEventListener('click', silence);
  $('sustain').addEventListener('click', () => pedal($('sustain').getAttribute('aria-pressed') !== 'true'));
  const shown = (id, unit, act) => $(id).addEventListener('input', ({target}) => {
    target.nextElementSibling.textContent = `${target.value}${unit}`.replace('-', '−');
    act?.(+target.value);
  });
  shown('velocity', '');
  shown('volume', ' dB', value => {
    load();
    sound.setVolume(value <= -40 ? 0 : 10 ** (value / 20));
  });
  shown('bend', ' semitones', value => call('bend', value));
  shown('modulation', '', value => call('control', 1, value / 127));
  // It springs back, as a wheel does.
  $('bend').addEventListener('change', ({target}) => {
    target.value = 0;
    target.dispatchEvent(new Event('input'));
  });
  typing({play, pedal, move: octaves => keys.move(octaves), first: () => keys.first});
  addEventListener('keydown', event => event.key === 'Escape' && !event.repeat && silence());
  $('midi').hidden = !navigator.requestMIDIAccess;
  $('midi').addEventListener('click', () => {
    load();
    listen((name, ...values) => {
      sound.call(name, ...values);
      if (name.startsWith('note')) keys.mark(values[0], name === 'note_on');
    }, names => say(names.length ? `MIDI: ${names.join(', ')}` : 'No MIDI device is connected; one that is will be heard.'))
      .catch(error => say(`MIDI is not available: ${error.message}`, true));
  });

  ofIndex(instruments[$('instrument').value]);
  return {
    /** Plays the plan of an instrument that was written in the editor. */
    async open(plan) {
      const about = {title: 'The instrument', keys: [], controls: [], parameters: [], bends: false};
      choose(about, Promise.resolve(plan));
      load();
      chosen.about = (await sound.node).about;
      show(chosen.about);
      $('play').scrollIntoView();
    },
  };
}
