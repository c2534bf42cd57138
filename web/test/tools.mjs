// What the tests share: the built page, the program, a server, a browser.

import {execFileSync} from 'node:child_process';
import {createHash} from 'node:crypto';
import {existsSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync} from 'node:fs';
import {createServer} from 'node:http';
import {createRequire} from 'node:module';
import {tmpdir} from 'node:os';
import {basename, extname, join, resolve} from 'node:path';

export const ROOT = resolve(import.meta.dirname, '../..');
const TARGET = resolve(ROOT, process.env.CARGO_TARGET_DIR ?? 'target');
export const PAGE = join(TARGET, 'web');
export const SHOTS = join(TARGET, 'web-shots');
const PROGRAM = resolve(ROOT, process.env.HAMILTONE_PROGRAM ?? 'target/debug/hamiltone');
const CHROMIUM = process.env.CHROMIUM ?? '/usr/bin/chromium';
const FOLDER = mkdtempSync(join(tmpdir(), 'hamiltone-web-'));

/** Runs the program; it has the files that it writes in a folder of the tests. */
export const hamiltone = (...args) => execFileSync(PROGRAM, args, {cwd: ROOT, stdio: ['ignore', 'pipe', 'pipe'], maxBuffer: 1 << 26}).toString();
export const file = name => join(FOLDER, name);
export const text = path => readFileSync(join(ROOT, path), 'utf8');
export const hash = samples => createHash('sha256').update(new Uint8Array(samples.buffer, samples.byteOffset, samples.byteLength)).digest('hex');
export const module = name => new WebAssembly.Module(readFileSync(join(PAGE, name)));
export const plan = name => readFileSync(join(PAGE, `plans/${name}-48000.plan`));
export const index = () => JSON.parse(readFileSync(join(PAGE, 'index.json')));

/** A file that a scene names, as the worker finds it. */
export function read(name) {
  const path = index().files.find(path => basename(path) === name);
  return path && readFileSync(join(PAGE, path));
}

/** A performance of a second, twice: as a score for the program, and as messages for the worklet. */
export const SCORE = `score = [
  { tempo = 60 },
  { pedal = "down" },
  { notes = "C4 E4", length = "1/8", velocity = 0.8 },
  { notes = "G4", length = "1/16", velocity = 0.4 },
  { pedal = "up" },
]`;
export const FRAMES = 48000;
export const MESSAGES = [
  {at: 0, call: 'control', values: [64, 1]},
  {at: 0, call: 'note_on', values: [60, 0.8]},
  {at: 0, call: 'note_on', values: [64, 0.8]},
  {at: 24000, call: 'note_off', values: [60]},
  {at: 24000, call: 'note_off', values: [64]},
  {at: 24000, call: 'note_on', values: [67, 0.4]},
  {at: 36000, call: 'note_off', values: [67]},
  {at: 36000, call: 'control', values: [64, 0]},
];

/** The samples of a float32 WAV file. */
function samples(bytes) {
  let at = 12;
  while (bytes.toString('latin1', at, at + 4) !== 'data') at += 8 + bytes.readUInt32LE(at + 4);
  const data = bytes.subarray(at + 8, at + 8 + bytes.readUInt32LE(at + 4));
  return new Float32Array(data.buffer.slice(data.byteOffset, data.byteOffset + data.length));
}

/** What the program makes of the performance: the first second, both channels in turn. */
export function performed(instrument) {
  writeFileSync(file('score.toml'), SCORE);
  const sound = file(`${instrument}.wav`);
  if (!existsSync(sound)) {
    hamiltone('play', `instruments/${instrument}.toml`, file('score.toml'), '--format', '32-bit float', '--tail', '1', '-q', '-o', sound);
  }
  return samples(readFileSync(sound)).slice(0, 2 * FRAMES);
}

const TYPES = {'.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css', '.svg': 'image/svg+xml',
  '.json': 'application/json'};

/** Serves a folder as any web server would; {address, close}. */
export async function serve(folder) {
  const server = createServer((request, answer) => {
    const path = join(folder, decodeURIComponent(new URL(request.url, 'http://host').pathname).replace(/\/$/, '/index.html'));
    if (!path.startsWith(folder) || !existsSync(path)) return answer.writeHead(404).end();
    answer.writeHead(200, {'content-type': TYPES[extname(path)] ?? 'application/octet-stream'}).end(readFileSync(path));
  });
  await new Promise(ready => server.listen(0, '127.0.0.1', ready));
  return {address: `http://127.0.0.1:${server.address().port}`, close: () => server.close()};
}

/** Chromium without a window. */
export function browser() {
  mkdirSync(SHOTS, {recursive: true});
  const {launch} = createRequire(join(TARGET, 'npm/package.json'))('puppeteer-core');
  return launch({executablePath: CHROMIUM, args: ['--no-sandbox', '--autoplay-policy=user-gesture-required', '--mute-audio']});
}

/** A page of the browser at a width, with what it says that is wrong and where else it asks. */
export async function open(browser, address, [width, height] = [1280, 900]) {
  const page = await browser.newPage();
  Object.assign(page, {wrong: [], foreign: []});
  page.on('console', message => ['error', 'warn'].includes(message.type()) && page.wrong.push(message.text()));
  page.on('pageerror', error => page.wrong.push(String(error)));
  page.on('requestfailed', request => page.wrong.push(`${request.url()}: ${request.failure()?.errorText}`));
  page.on('request', request => {
    if (!request.url().startsWith(new URL(address).origin) && !/^(data|blob|about):/.test(request.url())) page.foreign.push(request.url());
  });
  await page.setViewport({width, height, hasTouch: width < 600, isMobile: width < 600});
  await page.goto(address, {waitUntil: 'networkidle0'});
  return page;
}
