// The modules by themselves, called from Node as the page calls them.

import assert from 'node:assert/strict';
import {readFileSync, writeFileSync} from 'node:fs';
import {test} from 'node:test';
import {answer, give} from '../page/exchange.js';
import {perform} from '../page/scene.js';
import {FRAMES, MESSAGES, file, hamiltone, hash, index, module, performed, plan, read, text} from './tools.mjs';

const scenes = module('scene.wasm'), players = module('player.wasm');

function load(bytes) {
  const wasm = new WebAssembly.Instance(players, {}).exports;
  give(wasm, bytes);
  const begin = performance.now();
  return {wasm, status: wasm.hamiltone_load(), ms: performance.now() - begin};
}

/** The performance in blocks of 128 frames, as a worklet asks for them. */
function play(wasm, frames = FRAMES) {
  const sound = new Float32Array(2 * frames), waiting = [...MESSAGES];
  for (let frame = 0; frame < frames;) {
    while (waiting.length && waiting[0].at <= frame) {
      const {call, values} = waiting.shift();
      wasm[`hamiltone_${call}`](...values);
    }
    const next = Math.min(128, frames - frame, (waiting[0]?.at ?? frames) - frame);
    sound.set(new Float32Array(wasm.memory.buffer, wasm.hamiltone_process(next), 2 * next), 2 * frame);
    frame += next;
  }
  return sound;
}

for (const name of ['marimba', 'vibraphone', 'guitar', 'clarinet', 'piano']) {
  test(`${name}: the samples of the program`, () => {
    const {wasm, status, ms} = load(plan(name));
    assert.equal(status, 0);
    const begin = performance.now(), {delay} = index().instruments.find(about => about.name === name);
    const sound = play(wasm, FRAMES + delay), seconds = (performance.now() - begin) / 1000;
    console.log(`${name}: loaded in ${ms.toFixed(0)} ms, ${((FRAMES + delay) / 48000 / seconds).toFixed(2)} times real time`);
    // The program leaves out what the engine is behind.
    assert.equal(hash(sound.slice(2 * delay)), hash(performed(name)));
    const balance = new Float64Array(wasm.memory.buffer, wasm.hamiltone_balance(), 10);
    assert.equal(balance[7], 1);
    assert.ok(balance[0] > 0 && balance[5] < balance[6]);
    // At rest again it plays the same.
    assert.equal(wasm.hamiltone_reset(), 0);
    assert.equal(hash(play(wasm, FRAMES + delay)), hash(sound));
  });
}

test('a plan that is none is refused in words', () => {
  const {wasm, status} = load(new TextEncoder().encode('not a plan'));
  assert.equal(status, 2);
  assert.match(new TextDecoder().decode(answer(wasm)), /no plan of an instrument/);
  assert.equal(wasm.hamiltone_process(128), 0);
  assert.equal(wasm.hamiltone_note_on(60, 1), 1);
});

test('the player asks for nothing', () => assert.deepEqual(WebAssembly.Module.imports(players), []));

for (const name of ['plucked_string', 'carillon_bell', 'xylophone_bar']) {
  test(`${name}: the files of the program`, () => {
    const scene = `scenes/${name}.toml`, begin = performance.now();
    const outcome = perform(scenes, {work: 'render', text: text(scene)}, read);
    console.log(`${name}: ${outcome.audit?.duration_s} s rendered in ${((performance.now() - begin) / 1000).toFixed(1)} s`);
    const [sound, audit, report] = ['sound.wav', 'audit.json', 'report'].map(end => file(`${name}-${end}`));
    hamiltone('render', scene, '-q', '-o', sound, '--audit', audit, '--report', report);
    assert.equal(outcome.status, 0);
    assert.deepEqual(Buffer.from(outcome.sounds[0]), readFileSync(sound));
    assert.deepEqual(outcome.audit, JSON.parse(readFileSync(audit)));
    assert.equal(outcome.report, readFileSync(`${report}/index.html`, 'utf8'));
  });
}

test('an instrument becomes the plan of the program', () => {
  const {plan: bytes} = perform(scenes, {work: 'plan', text: text('instruments/tanpura.toml'), rate: 48000}, read);
  assert.equal(hash(bytes), hash(plan('tanpura')));
});

test('problems have their lines', () => {
  const wrong = text('scenes/plucked_string.toml').replace('length = "0.65 m"', 'length = "0.65 kg"').replace('"E2"', '"X2"');
  writeFileSync(file('wrong.toml'), wrong);
  for (const work of ['check', 'render']) {
    const {status, problems} = perform(scenes, {work, text: wrong}, read);
    assert.equal(status, 2);
    assert.deepEqual(problems.map(({line}) => line), [12, 14]);
    assert.match(problems[0].message, /length/);
  }
  assert.throws(() => hamiltone('render', file('wrong.toml'), '-o', file('wrong.wav')), /length/);
});

test('a file that is not there is said, and a red verdict is one', () => {
  const {problems} = perform(scenes, {work: 'check', text: text('scenes/carillon_bell.toml')}, () => undefined);
  assert.match(problems[0].message, /carillon_bell\.csv/);
  const sharp = text('scenes/plucked_string.toml').replace('run.duration', 'run.tuning_tolerance = 5\nrun.duration')
    .replace('[body.string]', '[body.string]\nmethod = "finite-difference"\nintervals = 20');
  const outcome = perform(scenes, {work: 'render', text: sharp}, read);
  assert.deepEqual([outcome.status, outcome.audit.verdict], [1, 'red']);
  assert.ok(outcome.reason);
});

test('a sound that does not fit is refused', () => {
  const long = text('scenes/plucked_string.toml').replace('3 s', '9000 s');
  assert.match(perform(scenes, {work: 'render', text: long}, read).problems[0].message, /memory/);
});
