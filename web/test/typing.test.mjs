// The computer's keyboard as keys and pedal; the window is stood in for.

import assert from 'node:assert/strict';
import {test} from 'node:test';
import {typing} from '../page/typing.js';

const window = new EventTarget();
globalThis.addEventListener = window.addEventListener.bind(window);
const calls = [];
typing({play: (...call) => calls.push(call), pedal: down => calls.push(['pedal', down]), move: () => {}, first: () => 60});
const send = (name, key, code, written = false) => {
  const event = Object.assign(new Event(name), {key, code});
  Object.defineProperty(event, 'target', {value: {closest: () => written}});
  window.dispatchEvent(event);
  return calls.splice(0);
};

test('Shift is the pedal', () => {
  assert.deepEqual(send('keydown', 'Shift', 'ShiftLeft'), [['pedal', true]]);
  assert.deepEqual(send('keydown', 'D', 'KeyD'), [[64, true]]);
  assert.deepEqual(send('keyup', 'D', 'KeyD'), [[64, false]]);
  assert.deepEqual(send('keyup', 'Shift', 'ShiftLeft'), [['pedal', false]]);
});

test('capitals that are written move no pedal', () => {
  assert.deepEqual(send('keydown', 'Shift', 'ShiftLeft', true), []);
  assert.deepEqual(send('keydown', 'A', 'KeyA', true), []);
  assert.deepEqual(send('keyup', 'A', 'KeyA', true), []);
  assert.deepEqual(send('keyup', 'Shift', 'ShiftLeft', true), []);
});

test('a window that is left holds neither keys nor pedal', () => {
  send('keydown', 'Shift', 'ShiftLeft');
  send('keydown', 'A', 'KeyA');
  assert.deepEqual(send('blur'), [[60, false], ['pedal', false]]);
  assert.deepEqual(send('keyup', 'Shift', 'ShiftLeft'), []);
});
