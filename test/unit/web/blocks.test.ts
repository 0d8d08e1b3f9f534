import { expect, it } from 'vitest';
import { cutOutCode, toBlocks, toPieces } from '../../../src/web/ui/prose/blocks.ts';

it.each([
  ['paragraphs', 'One\ntwo\n\nthree', ['One\ntwo', 'three']],
  ['code with blank lines', 'A\n\n```ts\na\n\nb\n```\n\nB', ['A', '```ts\na\n\nb\n```', 'B']],
  ['code in a longer fence', '````\n```\n\n```\n````\n\nB', ['````\n```\n\n```\n````', 'B']],
  ['code that is still being written', 'A\n\n```\na\n\nb', ['A', '```\na\n\nb']],
  ['code and what stands right below it', '```\na\n```\nB\nb', ['```\na\n```', 'B\nb']],
  ['a formula', '$$\na\n\nb\n$$\n\nB', ['$$\na\n\nb\n$$', 'B']],
  ['a formula whose last line has its end', '$$ a\n\nb $$\n\nB', ['$$ a\n\nb $$', 'B']],
  ['a formula in brackets', '\\[\na\n\nb\n\\]\n\nB', ['\\[\na\n\nb\n\\]', 'B']],
  ['code with a line that would open some', '```\n```js\n\na\n```\n\nB', ['```\n```js\n\na\n```', 'B']],
  ['something folded in one line', '<details>a</details>\n\nB', ['<details>a</details>', 'B']],
  ['something folded', '<details>\na\n\nb\n</details>\n\nB', ['<details>\na\n\nb\n</details>', 'B']],
  ['a loose list', '1. a\n\n   more of it\n\n2. b\n\nEnd', ['1. a\n\n   more of it\n\n2. b', 'End']],
  ['indented code', '    a\n\n    b\n\nEnd', ['    a\n\n    b', 'End']],
  ['what stands below a formula of one line', '$$a$$\n\nB\n\nC', ['$$a$$', 'B', 'C']],
  ['what stands below a line with marks of code', '```a``` is code\n\nB', ['```a``` is code', 'B']],
  ['a footnote', 'See[^1].\n\n[^1]: It\n\nB', ['See[^1].', '[^1]: It', 'B']],
  [
    'a named address and each text that uses it',
    'See [X].\n\nB\n\n```\n[x]\n```\n\n[x]: https://example.com',
    ['See [X].\n\n[x]: https://example.com', 'B', '```\n[x]\n```', '[x]: https://example.com'],
  ],
  ['nothing', '\n\n', []],
])('keeps %s together', (_, markdown, blocks) => {
  expect(toBlocks(markdown)).toEqual(blocks);
});

const linesOf = (count: number, line: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => line(index));

it('cuts a long table and long code into pieces that begin alike, and only the last one changes as they grow', () => {
  const rows = linesOf(120, (index) => `| ${index} | b |`);
  const head = '| a | b |\n|---|--:|';
  const table = toPieces(`Before\n\n${head}\n${rows.join('\n')}\n\nAfter`);
  expect(table.map(({ goesOn }) => goesOn)).toEqual([
    undefined,
    undefined,
    'rows',
    'rows',
    'rows',
    'rows',
    'rows',
    undefined,
  ]);
  expect(table[2]?.markdown).toBe(`${head}\n${rows.slice(20, 40).join('\n')}`);
  const code = ['```ts', ...linesOf(120, (index) => `const x${index} = 1;`)];
  for (const [one, more] of [
    [`${head}\n${rows.slice(0, 110).join('\n')}\n| ha`, `${head}\n${rows.join('\n')}`],
    [code.slice(0, 112).join('\n'), [...code, '```'].join('\n')],
  ] as const)
    expect(toPieces(more).slice(0, 5)).toEqual(toPieces(one).slice(0, 5));
});

it('cuts long lists, loose ones too, and leaves alone what only looks like a table', () => {
  const items = linesOf(100, (index) => `${index + 1}. item`);
  expect(toPieces(items.join('\n')).map(({ goesOn }) => goesOn)).toEqual([
    undefined,
    'items',
    'items',
    'items',
    'items',
  ]);
  expect(toBlocks(items.join('\n\n')).length).toBeGreaterThan(2);
  expect(toPieces(`| a |\n|---|\n${'text\n'.repeat(80)}`)).toHaveLength(1);
});

it.each([
  ['no code', 'One `two`\n\n ``` three ``` four', ['One `two`\n\n ``` three ``` four']],
  ['code', 'Why?\n\n```ts\na\n\nb\n```\nAnd\n\nso?', ['Why?', '```ts\na\n\nb\n```', 'And\n\nso?']],
  ['code alone', '~~~\n```\n~~~', ['', '~~~\n```\n~~~', '']],
  ['code in a longer fence', '````\n```\n````\nB', ['', '````\n```\n````', 'B']],
  ['code that does not end', 'A\n```\na\n```js', ['A', '```\na\n```js', '']],
])('cuts out of a question %s', (_, text, parts) => {
  expect(cutOutCode(text)).toEqual(parts);
});
