// Scenes in a thread of their own. A message is a task of `scene.js` with the files of the user by name; `paths` are those of the page.

import {compile} from './exchange.js';
import {perform} from './scene.js';

const module = compile('scene.wasm');
/** How often progress is told, ms. */
const EVERY = 100;

/** A file of the page; the module waits for it. */
function fetched(path) {
  const request = new XMLHttpRequest();
  request.open('GET', path, false);
  request.responseType = 'arraybuffer';
  request.send();
  return request.status === 200 ? new Uint8Array(request.response) : undefined;
}

onmessage = async ({data: {id, task, files, paths}}) => {
  const read = name => {
    const path = paths.find(path => path.split('/').at(-1) === name);
    return files[name] ?? (path && fetched(path));
  };
  let last = 0;
  const told = (done, all) => {
    if (performance.now() - last < EVERY) return;
    last = performance.now();
    postMessage({id, progress: done / all});
  };
  try {
    postMessage({id, outcome: perform(await module, task, read, told)});
  } catch (error) {
    postMessage({id, error: error.message});
  }
};
