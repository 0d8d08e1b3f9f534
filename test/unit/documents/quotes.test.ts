import { describe, expect, it } from 'vitest';
import { QuoteFinder, type QuotePiece } from '../../../src/documents/quotes/quote-finder.ts';
import { QuoteIndex } from '../../../src/documents/quotes/quote-index.ts';
import { fc } from '../../support/properties.ts';

/** An index in which a citation is the text of its place. */
async function indexOf(...documents: readonly (readonly string[])[]): Promise<QuoteIndex<string>> {
  const index = new QuoteIndex<string>();
  for (const parts of documents)
    index.add(parts, ({ first, start, last, end }) =>
      first === last
        ? (parts[first]?.slice(start, end) ?? '')
        : `${parts[first]?.slice(start)}|${parts[last]?.slice(0, end)}`,
    );
  return await index.readyFor({ accepted: Promise.resolve() }).then(() => index);
}

/** Pieces without regard to how they came. */
function find(index: QuoteIndex<string>, ...answer: readonly string[]): QuotePiece<string>[] {
  const finder = new QuoteFinder(index);
  const joined: QuotePiece<string>[] = [];
  for (const piece of [...answer.flatMap((text) => finder.add(text)), ...finder.end()]) {
    const last = joined.at(-1);
    if (last === undefined || 'citation' in last || 'citation' in piece || last.isQuote !== piece.isQuote)
      joined.push(piece);
    else joined[joined.length - 1] = { ...last, text: last.text + piece.text };
  }
  return joined;
}
const cited = (pieces: readonly QuotePiece<string>[]) =>
  pieces.flatMap((piece) => ('citation' in piece ? [piece.citation] : []));

const pages = [
  'Ships sail on the sea, and come home late. An exam-\nple of the ﬁrst “kind”.',
  'Don’t stop there.',
];

describe('what an answer quotes', () => {
  it.each<[answer: string, quote: string, place: string]>([
    ['It says "Ships sail" here.', '"Ships sail"', 'Ships sail'],
    ['“ships  sail on\nthe sea”, it says', '“ships  sail on\nthe sea”,', 'Ships sail on the sea'],
    ['Says: **"come home late."**', '"come home late."**', 'come home late'],
    ['> Ships sail on\n> the sea\n\nSo.', '> Ships sail on\n> the sea', 'Ships sail on the sea'],
    ['So:\n> come home late', '> come home late', 'come home late'],
    ['«\u00a0come home late\u00a0»', '«\u00a0come home late\u00a0»', 'come home late'],
    ['that ships sail on the sea and come home', 'ships sail on the sea and come home', 'Ships sail on the sea, and come home'],
    ["'An example of the first kind'", "'An example of the first kind'", 'An exam-\nple of the ﬁrst “kind'],
    ['"first kind". Don\'t stop', '"first kind".', 'ﬁrst “kind'],
    ['the first "kind". So', '', ''],
    ['of the first kind don\'t stop there', "of the first kind don't stop there", 'of the ﬁrst “kind”.|Don’t stop there'],
  ])('is found: %s', async (answer, quote, place) => {
    const pieces = find(await indexOf(pages), answer);
    expect(pieces.map((piece) => ('text' in piece ? piece.text : '')).join('')).toBe(answer);
    expect(cited(pieces)).toEqual(place === '' ? [] : [place]);
    const quotes = pieces.flatMap((piece) => ('text' in piece && piece.isQuote ? [piece.text] : []));
    expect(quotes).toEqual(quote === '' ? [] : [quote]);
  }); // prettier-ignore

  it('is found in scripts without spaces', async () => {
    expect(cited(find(await indexOf(['草は緑です。空は青いです。']), '文書は「空は青い」と言う'))).toEqual([
      '空は青い',
    ]);
  });

  it.each([
    'It says "Ships sail over the sea".',
    'He said "the sea" and "late".',
    'ships sail on the lake',
    'Ships and "home"',
    '"Ships sail',
    'come home an example of the first',
  ])('is not what the document does not say, or few words that anybody may: %s', async (answer) => {
    expect(cited(find(await indexOf(pages), answer))).toEqual([]);
  });

  it('ends where its document ends', async () => {
    const index = await indexOf(['one two three'], ['four five six seven']);
    expect(cited(find(index, 'one two three four five six seven'))).toEqual([]);
  });
});

const words = fc.constantFrom('ship', 'Sea', 'the', 'ex-\nit', 'on', "don't", '海', '船', 'ﬁn', '42', '🚢');
const gaps = fc.constantFrom(
  ' ',
  ', ',
  '\n',
  '. "',
  '" ',
  '\n> ',
  '\n\n',
  '“',
  '”',
  ' « ',
  ' - ',
  '-',
  '',
  '…'.repeat(40),
);
const text = fc.array(fc.tuple(words, gaps), { maxLength: 60 }).map((pairs) => pairs.flat().join('')); // prettier-ignore

it('any answer comes back whole, in whatever pieces it came, and what is cited are words of the document', async () => {
  await fc.assert(
    fc.asyncProperty(text, text, fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1 }), async (document, answer, sizes) => {
      const index = await indexOf([document]);
      const pieces = find(index, answer);
      expect(pieces.map((piece) => ('text' in piece ? piece.text : '')).join('')).toBe(answer);
      for (const citation of cited(pieces)) expect(document).toContain(citation);
      const chars = Array.from(answer);
      const chunks: string[] = [];
      for (let turn = 0; chars.length > 0; turn++) chunks.push(chars.splice(0, sizes[turn % sizes.length]).join(''));
      expect(find(index, ...chunks)).toEqual(pieces);
    }),
  );
}); // prettier-ignore

it('what stands in the document between quotation marks is always found', async () => {
  const long = fc.array(fc.stringMatching(/^[a-z]{4,9}$/), { minLength: 6, maxLength: 30 });
  await fc.assert(
    fc.asyncProperty(long, fc.nat(3), fc.integer({ min: 2, max: 6 }), async (all, from, length) => {
      const quote = all.slice(from, from + length);
      fc.pre(quote.length > 1);
      const pieces = find(await indexOf([all.join(' ')]), `I read: "${quote.join('  ')}", there.`);
      expect(cited(pieces)).toEqual([quote.join(' ')]);
    }),
  );
});

it('words are held back only while they may become a quote', async () => {
  const finder = new QuoteFinder(await indexOf(pages));
  const shown = (given: string) => finder.add(given).map((piece) => ('text' in piece ? piece.text : ''));
  expect(shown('Hello you, ')).toEqual(['Hello you']);
  expect(shown('who sails')).toEqual([', who']);
  expect(shown(' today? Ships ')).toEqual([' sails today? ']);
  expect(shown('sink. ')).toEqual(['Ships sink']);
});
