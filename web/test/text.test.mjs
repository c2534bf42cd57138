// What is made of texts and messages without a module: completions, links, MIDI. The schemas are those of the module.

import assert from 'node:assert/strict';
import {test} from 'node:test';
import {complete} from '../page/completion.js';
import {fromHash, toHash} from '../page/link.js';
import {callsOf} from '../page/midi.js';
import {perform} from '../page/scene.js';
import {hamiltone, module, text} from './tools.mjs';

const {schemas} = perform(module('scene.wasm'), {work: 'schema'}, () => undefined);

/** The options at the mark |. */
const at = (marked, schema = schemas[0]) =>
  complete(schema, marked.replace('|', ''), marked.indexOf('|')).options.map(({insert}) => insert);

test('the schemas are those of the program', () =>
  assert.deepEqual(schemas, ['scene', 'instrument'].map(kind => JSON.parse(hamiltone('schema', kind)))));

test('completions follow the section, its kind, and what is begun', () => {
  assert.deepEqual(at('[bo|'), ['body']);
  assert.ok(at('[body.x]\nkind = "|').includes('string'));
  assert.ok(at('[body.x]\nkind = |').includes('"string"'));
  assert.deepEqual(at('[body.x]\nlin|\nkind = "string"\n[pickup.y]\n'), ['linear_density']);
  assert.deepEqual(at('[body.x]\nkind = "mass"\nlin|'), []);
  assert.deepEqual(at('drive.f = { kind = "pluck", at = "x@0.2", hei| }'), ['height']);
  assert.ok(at('run.|').includes('duration'));
  assert.ok(at('[run]\nscheme = "|"').includes('modal-ec'));
  assert.deepEqual(at('[[note_on]]\ngesture = "strike"\nspee|', schemas[1]), ['speed']);
});

test('a link has the whole text', async () => {
  const scene = text('scenes/trumpet.toml');
  const hash = await toHash(scene);
  assert.match(hash, /^scene=[\w-]+$/);
  assert.ok(hash.length < scene.length);
  assert.equal(await fromHash(`#${hash}`), scene);
  assert.equal(await fromHash('#play'), undefined);
  await assert.rejects(fromHash(`#${hash.slice(0, -9)}`));
});

test('messages of MIDI become calls', () => {
  assert.deepEqual(callsOf([0x95, 60, 127]), [['note_on', 60, 1]]);
  assert.deepEqual(callsOf([0x90, 60, 0]), [['note_off', 60]]);
  assert.deepEqual(callsOf([0xb0, 64, 127]), [['control', 64, 1]]);
  assert.deepEqual(callsOf([0xe0, 0, 64]), [['bend', 0]]);
  assert.deepEqual(callsOf([0xe0, 0, 0]), [['bend', -2]]);
  assert.deepEqual(callsOf([0xf8]), []);
});
