import { marked } from 'marked';
import { expect, it } from 'vitest';
import { withClosedMarks } from '../../../src/web/ui/prose/syntax/begun-marks.ts';

const html = (markdown: string) => marked.parse(withClosedMarks(markdown), { async: false });

it.each([
  ['bold', 'Take **care of it**, please.'],
  ['bold at the beginning', '**The goal.** Decide first.'],
  ['bold in a list', '1. First\n2. **The means.** A step.'],
  ['bold in a list of stars', '* **One** thing\n* **Another**'],
  ['bold in a quote', '> **Note** this'],
  ['italics', 'It is *really* so.'],
  ['italics in bold', 'So **it is *really* so** then.'],
  ['bold italics', 'Then ***both*** of them.'],
  ['what is crossed out', 'It was ~~wrong~~ right.'],
  ['code', 'Call `f(a * b)` and ``a`b`` then.'],
  ['code in bold', 'Use **the `ls` command** here.'],
  ['a link', 'See [the **long** guide](https://example.com/a_b?c=1) there.'],
  ['a picture', 'Look: ![a heron](data:image/png;base64,AAAA) there.'],
  ['several', '**One** and *two* and `three` and **four**.'],
])('shows no sign of %s at any place of its being written', (_, markdown) => {
  for (let end = 1; end <= markdown.length; end += 1) {
    const text = html(markdown.slice(0, end))
      .replaceAll(/<code>.*?<\/code>/g, '')
      .replaceAll(/<[^>]*>/g, '');
    expect(text, markdown.slice(0, end)).not.toMatch(/[*~`]|\]\(|https|data:/);
  }
});

it.each([
  ['plain text', 'Two herons'],
  ['what is whole', '**One** and `two` '],
  ['stars that are no marks', '2 * 3 = 6 and 5*4'],
  ['a list of stars', '* one\n* two'],
  ['the star of a footnote', 'a price*'],
  ['escaped stars', 'a \\*star and \\`tick'],
  ['code', '```\nif **a'],
  ['indented code', '    a **b'],
  ['brackets', 'f(a) and [b] (c'],
])('leaves %s as it is', (_, markdown) => {
  expect(withClosedMarks(markdown)).toBe(markdown);
});

it('reads a line of 100,000 signs at once', () => {
  for (const sign of ['*', '~', '`', '**a ', '[a](', '(', '\\', '*a', '` `'])
    expect(withClosedMarks(sign.repeat(100_000 / sign.length))).toBeTypeOf('string');
}, 2000);
