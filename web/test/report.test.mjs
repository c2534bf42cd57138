// The page of a report: its player and the zoom of its charts, pressed.

import assert from 'node:assert/strict';
import {after, before, test} from 'node:test';
import {browser, file, hamiltone, open, serve} from './tools.mjs';

let server, chromium, page;
before(async () => {
  hamiltone('render', 'scenes/plucked_string.toml', '--duration', '0.5 s', '-q', '-o', file('zoom.wav'), '--report', file('zoom'));
  [server, chromium] = await Promise.all([serve(file('zoom')), browser()]);
  page = await open(chromium, server.address);
});
after(async () => {
  assert.deepEqual(page.wrong.filter(what => !/favicon/.test(what)), []);
  assert.deepEqual(page.foreign, []);
  await chromium.close();
  server.close();
});

/** What stands at the ticks of the first chart. */
const shown = () => page.$eval('figure.chart svg.large .ticks', ticks => ticks.textContent);
/** Its line: finer where it is zoomed. */
const line = () => page.$eval('figure.chart svg.large path[data-fine]', path => path.getAttribute('d'));
const press = label => page.$$eval('figure.chart:first-of-type .tools button', (all, label) => all.find(button => button.title === label).click(), label);

test('the player plays to its end', async () => {
  await page.click('body');
  const {duration, time} = await page.$eval('audio', async audio => {
    await audio.play();
    await new Promise(ended => audio.onended = ended);
    return {duration: audio.duration, time: audio.currentTime};
  });
  assert.ok(Math.abs(duration - 0.5) < 1e-3 && time >= 0.49, `${time} of ${duration} s`);
});

test('buttons zoom, move, and show the whole chart again', async () => {
  const whole = await shown(), coarse = await line();
  await press('Zoom in');
  const zoomed = await shown();
  assert.notEqual(zoomed, whole);
  assert.notEqual(await line(), coarse);
  await press('Move right');
  const moved = await shown();
  assert.notEqual(moved, zoomed);
  await press('Move left');
  assert.equal(await shown(), zoomed);
  await press('Zoom out');
  assert.equal(await shown(), whole);
  await press('Zoom in');
  await press('Show the whole chart');
  assert.equal(await shown(), whole);
  assert.equal(await line(), coarse);
});

test('keys, the wheel and a rectangle zoom, a double click ends it', async () => {
  const whole = await shown(), chart = await page.$('figure.chart');
  await chart.focus();
  await page.keyboard.press('+');
  assert.notEqual(await shown(), whole);
  await page.keyboard.press('0');
  assert.equal(await shown(), whole);
  const svg = await page.$('figure.chart svg.large');
  await svg.scrollIntoView();
  const {x, y, width, height} = await svg.boundingBox();
  await page.mouse.move(x + width / 2, y + height / 2);
  await page.mouse.wheel({deltaY: -100});
  await page.waitForFunction(() => document.querySelector('figure.chart').classList.contains('zoomed'));
  await page.keyboard.press('Escape');
  assert.equal(await shown(), whole);
  await page.mouse.move(x + 0.4 * width, y + 0.3 * height);
  await page.mouse.down();
  await page.mouse.move(x + 0.6 * width, y + 0.7 * height, {steps: 4});
  await page.mouse.up();
  assert.notEqual(await shown(), whole);
  await page.mouse.click(x + width / 2, y + height / 2, {count: 2});
  assert.equal(await shown(), whole);
});
