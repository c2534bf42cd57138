// What is done with the text of a scene, by an instance of the module for each: its memory is given back with it, and what went wrong in one is not in the next.

import {answer, give} from './exchange.js';
import {instantiate} from './wasi.js';

const text = bytes => new TextDecoder().decode(bytes);

/**
 * `task` is {work: 'schema' | 'check' | 'render' | 'plan', text, rate}; the outcome has a status of the module, and by work
 * schemas, problems, audit, reason, buses, sounds, report, plan. `read(name)` gives files, `told(done, all)` is the progress.
 */
export function perform(module, task, read, told = () => {}) {
  const {wasm, said} = instantiate(module, read, {hamiltone: {progress: told}});
  const call = (name, ...values) => {
    try {
      return wasm[`hamiltone_${name}`](...values);
    } catch (error) {
      throw new Error(said.errors || String(error));
    }
  };
  const json = () => JSON.parse(text(answer(wasm)));
  if (task.work === 'schema') {
    return {status: 0, schemas: [0, 1].map(kind => (call('schema', kind), json()))};
  }
  give(wasm, new TextEncoder().encode(task.text));
  if (task.work === 'check') {
    const status = call('check');
    return {status, isInstrument: status === 1, ...status === 1 ? {} : json()};
  }
  if (task.work === 'plan') {
    const status = call('plan', task.rate);
    return status === 0 ? {status, plan: answer(wasm)} : {status, ...json()};
  }
  const status = call('render');
  const outcome = {status, ...json()};
  if (status !== 2) {
    outcome.sounds = outcome.buses.map((_, bus) => (call('sound', bus), answer(wasm)));
    call('report');
    outcome.report = text(answer(wasm));
  }
  return outcome;
}
