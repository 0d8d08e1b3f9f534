import { describe, expect, it } from 'vitest';
import { Acceptance, AcceptanceHistory } from '../../../../../src/engine/llama/drafts/acceptance.ts';
import { PredictionDrafter } from '../../../../../src/engine/llama/drafts/prediction-drafter.ts';
import { TextDrafter } from '../../../../../src/engine/llama/drafts/text-drafter.ts';
import type { Drafter } from '../../../../../src/engine/llama/drafts/drafter.ts';

const tokens = (...list: number[]) => Uint32Array.from(list);
const guessAfter = (drafter: Drafter, added: Uint32Array, most = 4) => {
  drafter.advance(added);
  return [...drafter.guess(most)];
};

describe('a text', () => {
  it('goes on as it did after its last three tokens, the last time', () => {
    const drafter = new TextDrafter(tokens(1, 2, 3, 4, 5, 9, 1, 2, 3, 6, 7), 100);
    expect([...drafter.guess(4)]).toEqual([]);
    expect(guessAfter(drafter, tokens(1, 2))).toEqual([]);
    expect(guessAfter(drafter, tokens(3))).toEqual([6, 7, 1, 2]);
    expect(guessAfter(drafter, tokens(8))).toEqual([]);
  });

  it('that repeats itself goes on to do so', () => {
    expect(guessAfter(new TextDrafter(tokens(1), 100), tokens(5, 6, 5, 6, 5), 5)).toEqual([6, 5, 6, 5, 6]);
    expect(guessAfter(new TextDrafter(tokens(), 8), tokens(7, 7, 7, 7))).toEqual([7, 7, 7, 7]);
  });

  it('that is longer than was said is read as far as there is room', () => {
    expect(guessAfter(new TextDrafter(tokens(1, 2, 3), 5), tokens(4, 1, 2, 3, 4))).toEqual([]);
  });
});

describe('a prediction', () => {
  const predicted = tokens(10, 11, 12, 13, 14, 15, 16, 17, 18, 19);

  it('is followed from its beginning to its end', () => {
    const drafter = new PredictionDrafter(predicted);
    expect([...drafter.guess(3)]).toEqual([10, 11, 12]);
    expect(guessAfter(drafter, tokens(10, 11), 3)).toEqual([12, 13, 14]);
    expect(guessAfter(drafter, predicted.subarray(2))).toEqual([]);
  });

  it.each([
    ['one token stands for another', tokens(10, 11, 99), [13, 14]],
    ['more tokens stand there', tokens(10, 11, 97, 98, 12), [13, 14]],
    ['fewer tokens stand there', tokens(10, 11, 15), [16, 17]],
    ['it begins otherwise', tokens(97, 98, 99, 10), [11, 12]],
    ['it goes elsewhere', tokens(10, 11, 97, 98), []],
  ])('is found again where %s', (_, written, guess) => {
    expect(guessAfter(new PredictionDrafter(predicted), written, 2)).toEqual(guess);
  });

  it('is looked for near the difference, and further off only by several tokens', () => {
    const far = tokens(1, ...Array.from({ length: 40 }, () => 5), 7, 8, 9);
    const drafter = new PredictionDrafter(far);
    expect(guessAfter(drafter, tokens(1, 3, 7), 2)).toEqual([]);
    expect(guessAfter(drafter, tokens(8), 2)).toEqual([9]);
  });
});

describe('the chance of a guess', () => {
  it('shrinks with each token, and with each guess that was wrong', () => {
    const acceptance = new Acceptance(new AcceptanceHistory({ afterHit: 0.8, afterMiss: 0.5 }));
    expect(acceptance.chances(3)).toEqual([0.5, 0.4, expect.closeTo(0.32)]);
    acceptance.observe(10, false);
    const [after = 0] = acceptance.chances(1);
    expect(after).toBeGreaterThan(0.9);
    for (let time = 0; time < 8; time++) acceptance.observe(0, true);
    expect(acceptance.chances(1)[0]).toBeLessThan(0.25);
  });

  it('begins in each answer with what it was in those before', () => {
    const history = new AcceptanceHistory({ afterHit: 0.8, afterMiss: 0.5 });
    const earlier = new Acceptance(history);
    for (let time = 0; time < 200; time++) earlier.observe(0, true);
    expect(new Acceptance(history).chances(1)[0]).toBeLessThan(0.05);
  });
});

describe('a drafter', () => {
  it('that was mostly wrong is asked ever more seldom, until it is right again', () => {
    const acceptance = new Acceptance(new AcceptanceHistory({ afterHit: 0.8, afterMiss: 0.5 }));
    const isAsked = () => acceptance.isWorthAsking(15, 1);
    expect(isAsked()).toBe(true);
    for (let time = 0; time < 20; time++) acceptance.observe(0, true);
    const asked = Array.from({ length: 64 }, isAsked);
    expect(asked.flatMap((one, at) => (one ? [at] : []))).toEqual([8, 25, 58]);
    acceptance.observe(3, false);
    expect(isAsked()).toBe(true);
  });
});
