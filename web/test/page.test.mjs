// The page in Chromium, without a server's help: files over HTTP, and what a user does.

import assert from 'node:assert/strict';
import {join} from 'node:path';
import {after, before, test} from 'node:test';
import {FRAMES, MESSAGES, PAGE, SHOTS, browser, hash, open, performed, serve} from './tools.mjs';

let server, chromium;
before(async () => [server, chromium] = await Promise.all([serve(PAGE), browser()]));
after(async () => {
  await chromium.close();
  server.close();
});

/** Nothing is wrong, and nothing was asked of others. */
const clean = page => assert.deepEqual([page.wrong, page.foreign], [[], []]);
const says = (page, id, pattern, timeout = 60000) =>
  page.waitForFunction((id, source) => new RegExp(source).test(document.getElementById(id).textContent), {timeout}, id, pattern.source);
const textOf = (page, id) => page.$eval(`#${id}`, element => element.textContent);
/** Puts a text in the editor, as if it was written. */
const write = (page, text) => page.$eval('#text', (area, text) => {
  area.value = text;
  area.dispatchEvent(new Event('input'));
}, text);
const SHORT = `hamiltone = 3
title = "Short"
run.duration = "0.3 s"
drive.finger = { kind = "pluck", at = "string@0.2", height = "3 mm" }
pickup.bridge = { at = "string@1", quantity = "force" }

[body.string]
kind = "string"
length = "0.65 m"
linear_density = "6.6 g/m"
pitch = "E3"
`;

test('the worklet gives the samples of the program', async () => {
  const page = await open(chromium, server.address);
  const sound = await page.evaluate(async (messages, frames) => {
    const {node, RATE} = await import('./sound.js');
    const context = new OfflineAudioContext(2, frames, RATE);
    const module = await (await import('./exchange.js')).compile('player.wasm');
    const plan = await (await fetch('plans/marimba-48000.plan')).arrayBuffer();
    const made = await node(context, module, plan, () => {});
    made.connect(context.destination);
    messages.forEach(message => made.port.postMessage(message));
    // Messages are taken in their order: this one is answered when all others are there.
    await new Promise(ready => setTimeout(ready, 500));
    const begin = performance.now(), buffer = await context.startRendering();
    document.body.dataset.pace = frames / RATE / (performance.now() - begin) * 1000;
    const [left, right] = [buffer.getChannelData(0), buffer.getChannelData(1)];
    return Array.from({length: 2 * frames}, (_, i) => (i % 2 ? right : left)[i >> 1]);
  }, MESSAGES, FRAMES);
  console.log(`marimba in the page: ${(+await page.$eval('body', body => body.dataset.pace)).toFixed(2)} times real time`);
  assert.equal(hash(Float32Array.from(sound)), hash(performed('marimba')));
  clean(page);
});

test('keys sound, by mouse and keyboard, and the balance is shown', async () => {
  const page = await open(chromium, server.address);
  const key = await page.$('#keys [data-key="60"]');
  await key.click();
  await page.waitForFunction(() => document.body.dataset.firstSound);
  console.log(`first sound ${await page.$eval('body', body => body.dataset.firstSound)} ms after the first touch`);
  await says(page, 'verdict', /exact: ok/);
  await says(page, 'level-text', /−\d/);
  console.log(`load ${await textOf(page, 'load-text')}`);
  await page.keyboard.down('d');
  await page.waitForSelector('#keys .down');
  await page.keyboard.up('d');
  assert.equal(await page.$('#keys .down'), null);
  // With the focus on the keys.
  await key.focus();
  await page.keyboard.press('ArrowRight');
  await page.keyboard.down('Enter');
  assert.equal(await page.$eval('#keys .down', button => button.getAttribute('aria-label')), 'C♯4');
  await page.keyboard.up('Enter');
  await page.screenshot({path: join(SHOTS, 'play-1280.png'), fullPage: true});
  await page.keyboard.press('Escape');
  await says(page, 'level-text', /−∞/);
  clean(page);
});

test('an instrument is chosen, with pedal, preset and parameters', async () => {
  const page = await open(chromium, server.address);
  const value = await page.$$eval('#instrument option', all => all.find(option => option.textContent === 'Vibraphone').value);
  await page.select('#instrument', value);
  await page.click('#sustain');
  assert.equal(await page.$eval('#sustain', button => button.getAttribute('aria-pressed')), 'true');
  await says(page, 'play-status', /Vibraphone is ready/);
  const slider = await page.$('#parameters input');
  await slider.focus();
  await page.keyboard.press('Home');
  assert.equal(await slider.evaluate(input => input.value), await slider.evaluate(input => input.min));
  await page.click('#keys [data-key="60"]');
  await says(page, 'verdict', /exact: ok/);
  clean(page);
});

test('what is written plays nothing', async () => {
  const page = await open(chromium, server.address);
  const value = await page.$$eval('#instrument option', all => all.find(option => option.textContent === 'Vibraphone').value);
  await page.select('#instrument', value);
  await page.focus('#text');
  await page.keyboard.down('Shift');
  await page.keyboard.press('A');
  await page.keyboard.up('Shift');
  assert.doesNotMatch(await textOf(page, 'play-status'), /Loading|ready/);
  clean(page);
});

test('a scene is rendered, stopped, shared', async () => {
  const page = await open(chromium, server.address);
  await write(page, SHORT);
  await says(page, 'editor-status', /can be rendered: Short/);
  await page.click('#render');
  await page.waitForSelector('#result:not([hidden])', {timeout: 60000});
  assert.match(await textOf(page, 'result-verdict'), /Verdict: green/);
  const report = await (await page.$('#report')).contentFrame();
  await report.waitForSelector('figure.chart .tools button');
  assert.equal(await report.$eval('h1', title => title.textContent), 'Short');
  await page.screenshot({path: join(SHOTS, 'scene-1280.png'), fullPage: true});
  // A render of an hour, stopped.
  await write(page, SHORT.replace('0.3 s', '1000 s'));
  await page.click('#render');
  await page.waitForFunction(() => document.getElementById('progress').value > 0);
  await page.click('#stop');
  await says(page, 'editor-status', /Stopped/);
  await page.click('#share');
  await says(page, 'editor-status', /link/);
  const other = await open(chromium, page.url());
  assert.match(await other.$eval('#text', area => area.value), /1000 s/);
  clean(page);
  clean(other);
});

test('problems are listed with their lines, and lead there', async () => {
  const page = await open(chromium, server.address);
  await write(page, SHORT.replace('0.65 m', '0.65 kg'));
  await page.waitForSelector('#problems button', {timeout: 60000});
  assert.match(await page.$eval('#problems button', button => button.textContent), /^Line 9, column 10: .*length/);
  await page.click('#problems button');
  assert.equal(await page.evaluate(() => getSelection().toString() || text.value.slice(text.selectionStart, text.selectionEnd)), '"0.65 kg"');
  await page.screenshot({path: join(SHOTS, 'problems-1280.png'), fullPage: true});
  clean(page);
});

test('Ctrl+Space completes', async () => {
  const page = await open(chromium, server.address);
  await write(page, SHORT.replace('pitch = "E3"\n', 'ten'));
  await page.$eval('#text', area => area.setSelectionRange(area.value.length, area.value.length));
  await page.focus('#text');
  await page.keyboard.down('Control');
  await page.keyboard.press('Space');
  await page.keyboard.up('Control');
  await page.waitForSelector('#completions:not([hidden]) li', {timeout: 60000});
  await page.screenshot({path: join(SHOTS, 'completions-1280.png')});
  await page.keyboard.press('Enter');
  assert.match(await page.$eval('#text', area => area.value), /\ntension$/);
  clean(page);
});

test('an instrument that is written is played', async () => {
  const page = await open(chromium, server.address);
  await page.select('#start', 'instruments/tanpura.toml');
  await page.waitForFunction(() => document.getElementById('render').textContent === 'Play it');
  await page.click('#render');
  await says(page, 'editor-status', /is played above/, 120000);
  await page.click('#keys button:enabled');
  await says(page, 'verdict', /exact: ok/);
  clean(page);
});

test('on a phone nothing is wider than the screen, and two fingers play two keys', async () => {
  const page = await open(chromium, server.address, [360, 740]);
  assert.ok(await page.evaluate(() => document.documentElement.scrollWidth) <= 360);
  const middle = async key => {
    const {x, y, width, height} = await (await page.$(`#keys [data-key="${key}"]`)).boundingBox();
    return [x + width / 2, y + 0.85 * height];
  };
  const first = await page.touchscreen.touchStart(...await middle(60)), second = await page.touchscreen.touchStart(...await middle(64));
  assert.equal((await page.$$('#keys .down')).length, 2);
  await first.end();
  await second.end();
  assert.equal((await page.$$('#keys .down')).length, 0);
  await says(page, 'verdict', /exact: ok/);
  await write(page, SHORT);
  await page.click('#render');
  await page.waitForSelector('#result:not([hidden])', {timeout: 60000});
  assert.ok(await page.evaluate(() => document.documentElement.scrollWidth) <= 360);
  await page.screenshot({path: join(SHOTS, 'page-360.png'), fullPage: true});
  clean(page);
});

test('every control has a name', async () => {
  const page = await open(chromium, server.address);
  const nameless = [];
  const visit = node => {
    if (/button|slider|combobox|textbox|meter|link/.test(node.role) && !node.name) nameless.push(node);
    node.children?.forEach(visit);
  };
  visit(await page.accessibility.snapshot());
  assert.deepEqual(nameless, []);
  clean(page);
});
