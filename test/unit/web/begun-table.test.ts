import { marked } from 'marked';
import { expect, it } from 'vitest';
import { withBegunTable } from '../../../src/web/ui/prose/syntax/begun-table.ts';

const table = '| Bird | Length | Where |\n| --- | ---: | --- |\n| Grey heron | 98 cm | lakes |';

it.each([
  ['a table', table],
  ['one below a text', `They are:\n${table}`],
  ['one of few columns', 'They are:\n\n|A|B|\n|:-:|-|\n|1|2|'],
  ['one in a list', `- They are:\n\n  ${table.replaceAll('\n', '\n  ')}`],
  ['one in a quote', `> ${table.replaceAll('\n', '\n> ')}`],
  ['one with a stroke in a cell', '| a \\| b | c |\n| - | - |\n| 1 | 2 |'],
])('shows no stroke of %s at any place of its being written', (_, markdown) => {
  for (let end = 1; end <= markdown.length; end += 1) {
    const html = marked.parse(withBegunTable(markdown.slice(0, end)), { async: false });
    expect(html, markdown.slice(0, end)).not.toMatch(/<(?:p|li)>[^<]*\||<h2|<hr/);
  }
});

it('makes no heading of titles without strokes at their ends', () => {
  for (const rule of ['-', '---', '--- ', '--- |', '--- | -'])
    expect(marked.parse(withBegunTable(`Bird | Length\n${rule}`), { async: false })).toContain('<th>Length');
});

it.each([
  ['plain text', 'a | b'],
  ['a whole table', table],
  ['a row of lines in a table', `${table}\n| - |`],
  ['code', '```\n| a | b |'],
  ['indented code', '    | a | b |'],
  ['code in a list', '- It:\n  ```\n  | a |'],
  ['a list', '- a | b\n- '],
  ['what is below a text without strokes', 'Herons\n---'],
])('leaves %s as it is', (_, markdown) => {
  expect(withBegunTable(markdown)).toBe(markdown);
});
