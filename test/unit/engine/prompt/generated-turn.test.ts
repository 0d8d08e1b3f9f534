import { fc } from '../../../support/properties.ts';
import { describe, expect, it } from 'vitest';
import { GeneratedTurn } from '../../../../src/engine/prompt/generated-turn.ts';
import type { GeneratedTokenLogprob, GenerationEvent } from '../../../../src/engine/generation/generation.ts';

const utf8 = new TextEncoder();

/** A log-probability that tells by its value which token it belongs to. */
const logprobOf = (index: number): GeneratedTokenLogprob => ({
  token: '',
  logprob: -index,
  bytes: [],
  topLogprobs: [],
});

interface Shown {
  readonly text: string;
  readonly tokens: readonly number[];
}

/** Text that each token, and then the end, adds. Stop sequences count once `minTokens` came. */
function show(
  tokens: readonly Uint8Array[],
  options: { stop?: readonly string[]; minTokens?: number } = {},
): { readonly pieces: readonly Shown[]; readonly stopped: boolean } {
  let emitted: GenerationEvent[] = [];
  const emit = (event: GenerationEvent) => void emitted.push(event);
  const generated = new GeneratedTurn({ reader: undefined, stop: options.stop ?? [], emit });
  const pieces: Shown[] = [];
  const takePiece = () => {
    const shown = emitted.filter((event) => event.type === 'text');
    const logprobs = shown.flatMap((event) => event.logprobs);
    pieces.push({
      text: shown.map((event) => event.text).join(''),
      tokens: logprobs.map(({ logprob }) => Math.abs(logprob)),
    });
    emitted = [];
  };
  for (const [index, bytes] of tokens.entries()) {
    const honourStop = index >= (options.minTokens ?? 0);
    const stopped = generated.push(bytes, logprobOf(index), honourStop);
    takePiece();
    if (stopped) return { pieces, stopped };
  }
  generated.finish();
  takePiece();
  return { pieces, stopped: false };
}

const textOf = (pieces: readonly Shown[]) => pieces.map(({ text }) => text).join('');
const tokensOf = (pieces: readonly Shown[]) => pieces.flatMap(({ tokens }) => tokens);
const words = (...texts: string[]) => texts.map((text) => utf8.encode(text));

/** `bytes` in pieces of the given sizes, then the rest. */
function cut(bytes: Uint8Array, sizes: readonly number[]): Uint8Array[] {
  const tokens: Uint8Array[] = [];
  let at = 0;
  for (const size of sizes) {
    if (at >= bytes.length) break;
    tokens.push(bytes.subarray(at, at + size));
    at += size;
  }
  if (at < bytes.length) tokens.push(bytes.subarray(at));
  return tokens;
}

const text = fc.string({ unit: 'binary', maxLength: 12 }).filter((value) => value.isWellFormed());
const sizes = fc.array(fc.integer({ min: 0, max: 4 }), { maxLength: 40 });

describe('GeneratedTurn', () => {
  it('never splits a character and loses none', () => {
    fc.assert(
      fc.property(text, sizes, (value, cuts) => {
        const { pieces } = show(cut(utf8.encode(value), cuts));
        expect(textOf(pieces)).toBe(value);
        for (const piece of pieces) expect(piece.text.isWellFormed()).toBe(true);
      }),
    );
  });

  it('shows bytes that are no text as a decoder would, without a character that is not whole at the end', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 20 }), sizes, (bytes, cuts) => {
        const { pieces } = show(cut(bytes, cuts));
        const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
        expect(textOf(pieces)).toBe(decoder.decode(bytes, { stream: true }));
      }),
    );
  });

  it('tells the log-probability of every token once, in order, with the text that the token completes', () => {
    fc.assert(
      fc.property(text, sizes, (value, cuts) => {
        const tokens = cut(utf8.encode(value), cuts);
        const { pieces } = show(tokens);
        expect(tokensOf(pieces)).toEqual([...tokens.keys()]);
        let shownBytes = 0;
        for (const piece of pieces) {
          shownBytes += utf8.encode(piece.text).length;
          for (const token of piece.tokens) {
            const tokenEnd = tokens.slice(0, token + 1).reduce((sum, { length }) => sum + length, 0);
            expect(tokenEnd).toBeLessThanOrEqual(shownBytes);
          }
        }
      }),
    );
  });

  it('holds the log-probabilities of held text back with it', () => {
    const { pieces } = show(words('a', 'EN', 'x'), { stop: ['END'] });
    expect(pieces.map(({ tokens }) => tokens)).toEqual([[0], [], [1, 2], []]);
  });

  it('does not tell the log-probabilities of a stop sequence', () => {
    const { pieces, stopped } = show(words('a', 'EN', 'D'), { stop: ['END'] });
    expect({ text: textOf(pieces), tokens: tokensOf(pieces), stopped }).toEqual({
      text: 'a',
      tokens: [0],
      stopped: true,
    });
  });

  it('tells the log-probability of a token without text', () => {
    const { pieces } = show([...words('a', ''), ...words('b')]);
    expect(pieces.map(({ tokens }) => tokens)).toEqual([[0], [1], [2], []]);
  });

  it('looks for stop sequences only in what came after the least number of tokens', () => {
    const tokens = words('a', '.', 'b', '.', 'c');
    expect(textOf(show(tokens, { stop: ['.'] }).pieces)).toBe('a');
    expect(textOf(show(tokens, { stop: ['.'], minTokens: 2 }).pieces)).toBe('a.b');
    expect(textOf(show(tokens, { stop: ['.'], minTokens: 4 }).pieces)).toBe('a.b.c');
    // The sequence began too early to count.
    expect(textOf(show(tokens, { stop: ['.b'], minTokens: 2 }).pieces)).toBe('a.b.c');
  });

  it('keeps a byte order mark that the model wrote', () => {
    expect(textOf(show(words('\uFEFFa')).pieces)).toBe('\uFEFFa');
  });
});
