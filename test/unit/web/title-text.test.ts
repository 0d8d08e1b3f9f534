import { expect, it } from 'vitest';
import { toTitle } from '../../../src/web/chat/titles/title-text.ts';

const said = 'Explain how a refrigerator keeps things cold. A compressor moves heat. 冷蔵庫は熱を運ぶ';

it.each([
  ['How refrigerators keep cold', 'How refrigerators keep cold'],
  ['  "Cold by compressors."\n', 'Cold by compressors'],
  ['**Title: Refrigerator basics**', 'Refrigerator basics'],
  ['Titel: „Refrigerator basics“', 'Refrigerator basics'],
  ['冷蔵庫の仕組み', '冷蔵庫の仕組み'],
])('takes a title that a model wrote as %j', (written, title) => {
  expect(toTitle(written, said)).toBe(title);
});

it.each([
  ['', 'nothing'],
  ['"…"', 'no letter'],
  ['Refrigerators\nand heat', 'two lines'],
  [`Refrigerators ${'and heat '.repeat(8)}`, 'too long'],
  ['He said "cold" to refrigerators', 'quotes inside'],
  ['<think>refrigerator</think>', 'markup'],
  ['{"title": "Refrigerators"}', 'JSON'],
  ['I am a tiny demo and know very little', 'no word of the conversation'],
  ['zqx vbn refr \uFFFD\u0007', 'babble'],
])('takes %j for no title: %s', (written) => {
  expect(toTitle(written, said)).toBeUndefined();
});
