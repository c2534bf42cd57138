// What the page does with the audio of a browser: its classes are stood in for.

import assert from 'node:assert/strict';
import {mock, test} from 'node:test';
import {module, plan} from './tools.mjs';

const made = {nodes: [], processors: {}};
Object.assign(globalThis, {
  sampleRate: 48000,
  AudioWorkletProcessor: class {
    port = {sent: [], closed: false, postMessage(message) { this.sent.push(message); }, close() { this.closed = true; }};
  },
  registerProcessor: (name, type) => made.processors[name] = type,
  AudioContext: class {
    currentTime = 0;
    audioWorklet = {addModule: async () => {}};
    resume() {}
  },
  // As a gain in a browser, its value is somewhere else while a fade is under way.
  GainNode: class {
    constructor(_, {gain}) {
      this.gain = {value: gain, setTargetAtTime() { this.value *= 0.5; }, cancelScheduledValues() {}};
    }
    connect() {}
  },
  AudioWorkletNode: class {
    connected = true;
    port = {sent: [], postMessage(message) { this.sent.push(message); }};
    constructor() {
      made.nodes.push(this);
      queueMicrotask(() => this.port.onmessage({data: {about: new TextEncoder().encode('{}')}}));
    }
    connect() {}
    disconnect() { this.connected = false; }
  },
});
globalThis.fetch = async () => ({arrayBuffer: async () => Uint8Array.of(0, 0x61, 0x73, 0x6d, 1, 0, 0, 0)});
const {Sound} = await import('../page/sound.js');
await import('../page/worklet.js');

test('silence twice leaves the volume as it was', () => {
  mock.timers.enable({apis: ['setTimeout']});
  const sound = new Sound(() => {});
  sound.setVolume(0.7);
  sound.begin();
  assert.equal(sound.gain.gain.value, 0.7);
  sound.silence();
  mock.timers.tick(30);
  sound.silence();
  mock.timers.tick(59);
  assert.notEqual(sound.gain.gain.value, 0.7);
  // One that is set meanwhile holds afterwards.
  sound.setVolume(0.4);
  mock.timers.tick(1);
  assert.equal(sound.gain.gain.value, 0.4);
  mock.timers.reset();
});

test('an instrument that is replaced is ended', async () => {
  const sound = new Sound(() => {});
  await sound.load(new ArrayBuffer(0));
  await sound.load(new ArrayBuffer(0));
  const [first, second] = made.nodes.slice(-2);
  assert.deepEqual([first.connected, first.port.sent], [false, [{end: true}]]);
  assert.deepEqual([second.connected, second.port.sent], [true, []]);
});

test('a processor that is ended asks for no more blocks', () => {
  const processor = new made.processors.hamiltone({processorOptions: {module: module('player.wasm'), plan: plan('kalimba')}});
  const block = [new Float32Array(128), new Float32Array(128)];
  assert.equal(processor.process([], [block]), true);
  processor.port.onmessage({data: {end: true}});
  assert.equal(processor.process([], [block]), false);
  assert.deepEqual([processor.port.closed, processor.wasm], [true, undefined]);
});
