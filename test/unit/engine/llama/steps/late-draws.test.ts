/** Draws whose grammar takes longer to ask than a step may take. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { GenerationChannel } from '../../../../../src/engine/generation/generation-channel.ts';
import { takesTooLong } from '../../../../../src/engine/llama/native/stepper.ts';
import { TokenSampler } from '../../../../../src/engine/llama/sampling/token-sampler.ts';
import { SlotMemory } from '../../../../../src/engine/llama/slots/slot-memory.ts';
import { StepLoop } from '../../../../../src/engine/llama/steps/step-loop.ts';
import { neutralSampling } from '../../../../../src/engine/generation/sampling-options.ts';
import { hasStepper } from '../../../../support/engine/draw-tokens.ts';
import { openNativeFixture, type NativeFixture } from '../../../../support/models/native-model.ts';
import { preparedRequest } from '../../../../support/engine/step-loop-harness.ts';

const letters = 'abcdefghijklmnopqrstuvwxyz'.split('');
/** Tokens that a grammar below has to be asked about one by one: each of its alternatives refuses only the last letter. */
const furtherTexts = letters.flatMap((a) =>
  letters.flatMap((b) => letters.map((c) => `~${a}${b}${c}${'x'.repeat(9)}`)),
);
const grammarOf = (alternatives: number) =>
  `root ::= ${Array.from({ length: alternatives }, (_, at) => `"~" ${'[a-z] '.repeat(11)} "${at}"`).join(' | ')}`;
/** Takes some tenths of a second for the first token. */
const slow = grammarOf(50);
/** Takes many seconds. */
const tooSlow = grammarOf(2000);

const prompt = Uint32Array.from({ length: 12 }, (_, index) => 70 + index);
const sampling = { ...neutralSampling, seed: 1 };

describe.runIf(hasStepper)('a draw that takes too long for its step', () => {
  let fixture: NativeFixture;
  beforeAll(async () => {
    fixture = await openNativeFixture({ furtherTexts });
  });
  afterAll(() => fixture[Symbol.asyncDispose]());

  /** The step's results for a draw under `gbnf` and for one beside it, and the token that the first drew in the end. */
  async function drawLate(gbnf: string) {
    const { own: native } = fixture;
    const samplers = [gbnf, undefined].map((bound) => {
      const sampler = native.stepper.createSampler(sampling, prompt);
      if (bound !== undefined) sampler.constrain(bound, new Uint32Array());
      return sampler.handle;
    });
    native.cut(0, 0);
    native.initBatch(prompt.length);
    const [logitIndex = 0] = native.addToBatch(0, 0, prompt, Uint32Array.of(prompt.length - 1));
    const draws = samplers.map((sampler) => ({ logitIndex, sampler, alternatives: 1 }));
    const drawn = await native.decodeBatch(draws);
    const [late] = draws;
    if (late === undefined) throw new Error('no draw');
    const finished = native.stepper.finishDraw(late);
    // The logits that it needs are its own by now.
    native.initBatch(1);
    native.addToBatch(0, prompt.length, Uint32Array.of(65), Uint32Array.of(0));
    await native.decodeBatch();
    return { drawn, finished: [...(await finished)] };
  }

  it('is made after it, the same every time, and no other draw of the step waits for it', async () => {
    const { drawn, finished } = await drawLate(slow);
    expect(drawn.map(([token = Number.NaN]) => token >= 0)).toEqual([false, true]);
    expect(drawn[0]?.[0]).toBe(takesTooLong);
    const [token = -1, logprob = Number.NaN, ...alternatives] = finished;
    expect(Buffer.from(fixture.vocabulary.bytesOf(token)).toString()).toBe('~');
    expect(logprob).toBeLessThan(0);
    expect(alternatives).toHaveLength(2);
    expect((await drawLate(slow)).finished).toEqual(finished);
  });

  it('is given up when it takes too long altogether', async () => {
    expect((await drawLate(tooSlow)).finished).toEqual([takesTooLong]);
  });

  /** A step loop in which the requests of an account are bound by the grammar of its name. */
  function openLoop() {
    const { own: native, vocabulary } = fixture;
    const loop = new StepLoop({
      memory: new SlotMemory(native),
      vocabulary,
      createSampler(prepared) {
        const sampler = new TokenSampler(native.stepper, vocabulary, prepared);
        const gbnf = { slow, tooSlow }[prepared.request.accountId];
        if (gbnf !== undefined) sampler.constrain(gbnf, new Uint32Array());
        return sampler;
      },
      slots: 3,
      contextTokens: 512,
      batchTokens: 256,
      targetGapMs: 100,
      queueTimeoutMs: 10_000,
    });
    const start = (accountId: string, maxTokens: number, signal = new AbortController().signal) => {
      const channel = new GenerationChannel(signal);
      const request = { accountId, sampling, ignoreEos: accountId === 'plain', maxTokens };
      loop.submit(preparedRequest(prompt, request), channel);
      const { generation } = channel;
      let text = '';
      const reading = (async () => {
        for await (const event of generation.events) if (event.type === 'delta') text += event.text;
      })();
      reading.catch(() => undefined);
      return { ended: generation.ended, text: () => text };
    };
    return { loop, start };
  }

  it('goes on to the end of its answer', async () => {
    const { loop, start } = openLoop();
    const late = start('slow', 20);
    expect(await late.ended).toMatchObject({ outcome: 'finished', finishReason: 'stop' });
    expect(late.text()).toMatch(/^~[a-z]{11}\d{1,2}$/);
    await loop.idle();
  });

  it('holds up nobody else, and ends its own request and no other when it is given up', async () => {
    const { loop, start } = openLoop();
    const late = start('tooSlow', 20);
    const beside = start('plain', 100);
    const first = Promise.race([late.ended.then(() => 'late'), beside.ended.then(() => 'beside')]);
    expect(await first).toBe('beside');
    // It comes while nothing but the late draw is under way.
    const after = start('plain', 3);
    expect(await Promise.race([late.ended, after.ended])).toBe(await after.ended);
    expect(await late.ended).toMatchObject({ outcome: 'failed', error: { code: 'schema_too_complex' } });
    for (const { ended } of [beside, after]) expect(await ended).toMatchObject({ outcome: 'finished' });
    await loop.idle();
  });

  it('is waited for when its request was aborted, and its slot is free at once for others', async () => {
    const { loop, start } = openLoop();
    const caller = new AbortController();
    const late = start('tooSlow', 20, caller.signal);
    const beside = start('plain', 50);
    expect(await beside.ended).toMatchObject({ outcome: 'finished' });
    caller.abort();
    const others = [1, 2, 3].map(() => start('plain', 10));
    expect(await late.ended).toMatchObject({ outcome: 'aborted' });
    for (const { ended } of others) expect(await ended).toMatchObject({ outcome: 'finished' });
    expect(loop.freeSlots).toBe(3);
    await loop.idle();
  });
});
