// Begins both parts of the page.

import {begin as beginEditor} from './editor.js';
import {begin as beginPlay} from './play.js';

const index = await (await fetch('index.json')).json();
const play = beginPlay(index.instruments);
await beginEditor(index, play);
