// Messages of MIDI devices as calls of the module.

/** How far a pitch wheel bends either way, semitones: what General MIDI has at first. */
const BEND = 2;

/** The calls that the bytes of a message stand for: [name, values…]; none of what an instrument does not follow, as clocks. */
export function callsOf([status, first = 0, second = 0]) {
  switch (status & 0xf0) {
    case 0x80: return [['note_off', first]];
    case 0x90: return second ? [['note_on', first, second / 127]] : [['note_off', first]];
    case 0xa0: return [['pressure', first, second / 127]];
    case 0xb0: return [['control', first, second / 127]];
    case 0xc0: return [['program', first]];
    case 0xd0: return [['pressure', 128, first / 127]];
    case 0xe0: return [['bend', BEND * ((first + 128 * second) / 8192 - 1)]];
    default: return [];
  }
}

/** Listens to all devices, also those that come later; `call` receives the calls, `told` how many devices there are. */
export async function listen(call, told) {
  const access = await navigator.requestMIDIAccess();
  const join = () => {
    for (const input of access.inputs.values()) {
      input.onmidimessage = ({data}) => callsOf(data).forEach(each => call(...each));
    }
    told([...access.inputs.values()].map(input => input.name));
  };
  access.onstatechange = join;
  join();
}
