// A scene in a link: its text is deflated and written as base64url behind `#scene=`. Nothing is sent to a server.

const through = async (bytes, stream) =>
  new Uint8Array(await new Response(new Blob([bytes]).stream().pipeThrough(stream)).arrayBuffer());

/** The part of a link after `#`. */
export async function toHash(text) {
  const bytes = await through(new TextEncoder().encode(text), new CompressionStream('deflate-raw'));
  const letters = Array.from(bytes, byte => String.fromCharCode(byte)).join('');
  return `scene=${btoa(letters).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')}`;
}

/** The text in that part, or nothing where there is none. */
export async function fromHash(hash) {
  const found = /^#?scene=([\w-]+)$/.exec(hash);
  if (!found) return undefined;
  const letters = atob(found[1].replaceAll('-', '+').replaceAll('_', '/'));
  const bytes = Uint8Array.from(letters, letter => letter.charCodeAt(0));
  return new TextDecoder('utf-8', {fatal: true}).decode(await through(bytes, new DecompressionStream('deflate-raw')));
}
