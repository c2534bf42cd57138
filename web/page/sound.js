// The sound of the page: an AudioContext, and in it the instrument that is loaded.

import {compile} from './exchange.js';

/** The rate at which plans are made, Hz. */
export const RATE = 48000;
/** The time constant of the fade to silence, s, and the time after which it is over, ms. */
const FADE = 0.005, FADED = 60;

/** The node of an instrument in a context; `told` receives what the worklet says. */
export async function node(context, module, plan, told) {
  await (context.hamiltone ??= context.audioWorklet.addModule('worklet.js'));
  const made = new AudioWorkletNode(context, 'hamiltone',
    {numberOfInputs: 0, outputChannelCount: [2], processorOptions: {module, plan}});
  const text = bytes => new TextDecoder().decode(bytes);
  await new Promise((ready, refused) => {
    made.onprocessorerror = () => refused(new Error('the audio thread ended'));
    made.port.onmessage = ({data}) => {
      if (data.error) refused(new Error(text(data.error)));
      else if (data.about) ready(made.about = JSON.parse(text(data.about)));
      else told(data);
    };
  });
  return made;
}

/** Ends the instrument of a node: its processor and its memory are freed. */
function end(node) {
  node.disconnect();
  node.port.postMessage({end: true});
}

export class Sound {
  /** `told` receives what the worklet says. */
  constructor(told) {
    this.told = told;
    this.volume = 1;
    this.module = compile('player.wasm');
  }

  /** Creates the context at the first gesture of the user: browsers let no page sound before. */
  begin() {
    if (!this.context) {
      this.context = new AudioContext({sampleRate: RATE});
      this.gain = new GainNode(this.context, {gain: this.volume});
      this.gain.connect(this.context.destination);
    }
    return this.context.resume();
  }

  /** Loads the instrument of a plan in place of the one before; what is called until then acts on the new one. */
  load(plan) {
    this.begin();
    this.node?.then(end, () => {});
    return this.node = (async () => {
      const made = await node(this.context, await this.module, await plan, this.told);
      made.connect(this.gain);
      return made;
    })();
  }

  /** Calls a function of the module. */
  call(call, ...values) {
    this.node?.then(node => node.port.postMessage({call, values}), () => {});
  }

  /** Sets the factor of the volume; during a fade, for the time after it. */
  setVolume(volume) {
    this.volume = volume;
    if (this.context && this.fade === undefined) this.gain.gain.value = volume;
  }

  /** Ends all sound at once, without a click. A fade that is under way begins anew. */
  silence() {
    if (!this.context) return;
    const {gain} = this.gain;
    clearTimeout(this.fade);
    gain.setTargetAtTime(0, this.context.currentTime, FADE);
    this.fade = setTimeout(() => {
      this.fade = undefined;
      this.call('reset');
      gain.cancelScheduledValues(0);
      gain.value = this.volume;
    }, FADED);
  }
}
