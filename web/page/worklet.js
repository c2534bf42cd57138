// The instrument in the audio thread: messages become calls of the module, samples become the output of the node.
//
// A message is {call, values, at}: a function of the module without `hamiltone_`, its numbers, and the number of the sample from which it acts; at
// once where there is none; {end: true} ends the instrument. An audio thread has neither TextDecoder nor a fine clock: texts go out as bytes, and the
// load is a mean over milliseconds.

import {answer, give} from './exchange.js';

/** How often the page is told how it goes, and the energy balance, in blocks of 128 samples. */
const EVERY = 38, BALANCE_EVERY = 4;

class Hamiltone extends AudioWorkletProcessor {
  constructor({processorOptions: {module, plan}}) {
    super();
    this.wasm = new WebAssembly.Instance(module, {}).exports;
    this.frame = 0;
    this.waiting = [];
    this.count = {blocks: 0, told: 0, ms: 0, peak: 0, sounded: false};
    give(this.wasm, new Uint8Array(plan));
    if (this.wasm.hamiltone_load() !== 0) {
      this.port.postMessage({error: answer(this.wasm)});
      this.ended = true;
      return;
    }
    this.wasm.hamiltone_about();
    const about = answer(this.wasm);
    this.channels = +/"channels":(\d+)/.exec(String.fromCharCode(...about))[1];
    this.port.onmessage = ({data}) => this.take(data);
    this.port.postMessage({about});
  }

  take(message) {
    if (message.end) return this.end();
    if (message.at === undefined) return this.act(message);
    const after = this.waiting.findIndex(other => other.at > message.at);
    this.waiting.splice(after < 0 ? this.waiting.length : after, 0, message);
  }

  act({call, values = []}) {
    this.wasm[`hamiltone_${call}`](...values);
  }

  /** Nothing refers to the instrument any more: its memory is freed with the node. */
  end() {
    this.ended = true;
    this.wasm = this.samples = undefined;
    this.port.close();
  }

  process(_, [output]) {
    if (this.ended) return false;
    const begin = Date.now();
    try {
      this.fill(output);
    } catch (error) {
      this.ended = true;
      this.port.postMessage({failed: String(error)});
      return false;
    }
    this.tell(Date.now() - begin, output);
    return true;
  }

  fill(output) {
    const {wasm, channels, waiting} = this, frames = output[0].length;
    for (let done = 0; done < frames;) {
      while (waiting.length && waiting[0].at <= this.frame) this.act(waiting.shift());
      const next = waiting.length ? Math.min(frames - done, waiting[0].at - this.frame) : frames - done;
      const at = wasm.hamiltone_process(next);
      if (this.samples?.buffer !== wasm.memory.buffer || this.samples.byteOffset !== at) {
        this.samples = new Float32Array(wasm.memory.buffer, at, channels * frames);
      }
      for (let channel = 0; channel < output.length; channel++) {
        const own = Math.min(channel, channels - 1), to = output[channel];
        for (let i = 0; i < next; i++) to[done + i] = this.samples[i * channels + own];
      }
      done += next;
      this.frame += next;
    }
  }

  tell(ms, output) {
    const {count} = this;
    count.ms += ms;
    for (const channel of output) for (const x of channel) count.peak = Math.max(count.peak, Math.abs(x));
    if (!count.sounded && count.peak > 0) {
      count.sounded = true;
      this.port.postMessage({sounds: true});
    }
    if (++count.blocks % EVERY) return;
    const load = count.ms / (EVERY * output[0].length / sampleRate * 1000);
    const message = {level: count.peak, load};
    if (++count.told % BALANCE_EVERY === 0) {
      message.balance = [...new Float64Array(this.wasm.memory.buffer, this.wasm.hamiltone_balance(), 10)];
    }
    this.port.postMessage(message);
    count.ms = count.peak = 0;
  }
}

registerProcessor('hamiltone', Hamiltone);
