import { expect, it } from 'vitest';
import { toBlocks } from '../../../src/web/ui/blocks.ts';

it.each([
  ['paragraphs', 'One\ntwo\n\nthree', ['One\ntwo', 'three']],
  ['code with blank lines', 'A\n\n```ts\na\n\nb\n```\n\nB', ['A', '```ts\na\n\nb\n```', 'B']],
  ['code in a longer fence', '````\n```\n\n```\n````\n\nB', ['````\n```\n\n```\n````', 'B']],
  ['code that is still being written', 'A\n\n```\na\n\nb', ['A', '```\na\n\nb']],
  ['a formula', '$$\na\n\nb\n$$\n\nB', ['$$\na\n\nb\n$$', 'B']],
  ['a loose list', '1. a\n\n   more of it\n\n2. b\n\nEnd', ['1. a\n\n   more of it\n\n2. b', 'End']],
  ['indented code', '    a\n\n    b\n\nEnd', ['    a\n\n    b', 'End']],
  [
    'a text with named links',
    'See [x].\n\n[x]: https://example.com',
    ['See [x].\n\n[x]: https://example.com'],
  ],
  ['nothing', '\n\n', []],
])('keeps %s together', (_, markdown, blocks) => {
  expect(toBlocks(markdown)).toEqual(blocks);
});
