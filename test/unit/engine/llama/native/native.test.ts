import { readFileSync } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createNativeSampler, type NativeSampler } from '../../../../../src/engine/llama/native/sampler.ts';
import { createTemplateRenderer } from '../../../../../src/engine/llama/template-engine.ts';
import { readFilesInSmallParts } from '../../../../../src/engine/llama/open-llama.ts';
import { bindingsOf, nativeModelOf } from '../../../../../src/engine/llama/native/model.ts';
import {
  StepInterrupted,
  type NativeContext,
} from '../../../../../src/engine/llama/native/context/context.ts';
import { openLibraryEmbeddingContext } from '../../../../../src/engine/llama/native/context/library-context.ts';
import { hasStepper } from '../../../../support/engine/draw-tokens.ts';
import {
  decode,
  drawGreedy,
  openNativeFixture,
  type NativeFixture,
} from '../../../../support/models/native-model.ts';

let fixture: NativeFixture;
beforeAll(async () => {
  fixture = await openNativeFixture();
});
afterAll(() => fixture[Symbol.asyncDispose]());

const readJson = (path: string) =>
  JSON.parse(readFileSync(new URL(`../../../../../${path}`, import.meta.url), 'utf8')) as Record<
    string,
    unknown
  >;

/** The most probable token, which identifies the state of a sequence well enough. */
async function best(native: NativeContext, logitIndex: number): Promise<number> {
  const sampler = createNativeSampler(fixture.model);
  sampler.applyConfig({ temperature: 0, seed: 0, topP: 1, minP: 0 });
  const token = await native.sampleToken(logitIndex, sampler);
  sampler.dispose();
  return token;
}

const prompt = (length: number, first = 0) =>
  Array.from({ length }, (_, index) => 65 + ((first + index * 5) % 150));

describe("node-llama-cpp's internals", () => {
  it('are those of the one version that was read', () => {
    expect(readJson('node_modules/node-llama-cpp/package.json')['version']).toBe('3.22.1');
    expect(readJson('package.json')['devDependencies']).toMatchObject({ 'node-llama-cpp': '3.22.1' });
  });

  it('have the reader of files that is made to read small parts', async () => {
    expect(await readFilesInSmallParts()).toBe(true);
  });

  it('have every method that the engine calls', () => {
    const { llama, model } = fixture;
    const methodsOf = (target: object) => {
      const names = new Set<string>();
      for (const name of Object.getOwnPropertyNames(Object.getPrototypeOf(target))) names.add(name);
      return [...names];
    };
    const { AddonContext } = bindingsOf(llama) as { AddonContext: { readonly prototype: object } };
    expect(Object.getOwnPropertyNames(AddonContext.prototype)).toEqual(
      expect.arrayContaining([
        'initBatch',
        'addToBatch',
        'decodeBatch',
        'sampleToken',
        'removeTokenCellsFromSequence',
        'disposeSequence',
        'copySequenceStateFromOtherSequence',
        'setThreads',
        'getEmbedding',
      ]),
    );
    expect(methodsOf(nativeModelOf(model))).toEqual(
      expect.arrayContaining([
        'tokenize',
        'detokenize',
        'getTokenString',
        'getTokenAttributes',
        'isEogToken',
        'getVocabularyType',
        'shouldPrependBosToken',
        'shouldAppendEosToken',
        'tokenBos',
        'tokenEos',
        'sepToken',
        'prefixToken',
        'suffixToken',
        'middleToken',
      ]),
    );
    expect(methodsOf(createNativeSampler(model))).toEqual(expect.arrayContaining(['applyConfig', 'dispose']));
    expect(createTemplateRenderer(llama, '{{ a }}')({ a: 'b' })).toBe('b');
  });

  it('give vectors in a context for those', async () => {
    const options = { contextTokens: 64, batchTokens: 64, threads: 1 };
    const native = await openLibraryEmbeddingContext(fixture.model, options);
    const vectors: (Float32Array | Float64Array)[] = [];
    for (const first of [0, 3, 0]) {
      native.cut(0, 0);
      native.initBatch(20);
      native.addToBatch(0, 0, Uint32Array.from(prompt(20, first)), Uint32Array.of(19));
      await native.decodeBatch();
      vectors.push(native.getEmbedding(20));
    }
    expect(vectors.map(({ length }) => length)).toEqual([64, 64, 64]);
    expect(vectors[2]).toEqual(vectors[0]);
    expect(vectors[1]).not.toEqual(vectors[0]);
    await native.dispose();
  });

  it('give a context as large as they say', () => {
    expect(fixture.native).toMatchObject({ contextTokens: 512, batchTokens: 256, sequences: 3 });
  });
});

describe('the native context', () => {
  it('computes a sequence the same in one go, in pieces and beside others', async () => {
    const { native } = fixture;
    const tokens = prompt(40);
    const inOneGo = await best(native, await decode(native, 0, 0, tokens));
    await decode(native, 1, 0, tokens.slice(0, 25));
    expect(await best(native, await decode(native, 1, 25, tokens.slice(25)))).toBe(inOneGo);
    native.initBatch(80);
    native.addToBatch(1, 40, Uint32Array.from(prompt(40, 3)), Uint32Array.of());
    native.cut(2, 0);
    const [index = -1] = native.addToBatch(2, 0, Uint32Array.from(tokens), Uint32Array.of(39));
    await native.decodeBatch();
    expect(await best(native, index)).toBe(inOneGo);
    for (const sequence of [0, 1, 2]) native.cut(sequence, 0);
  });

  it.skipIf(!hasStepper)('gives up what it decodes, and goes on from what it held before', async () => {
    const { own } = fixture;
    const [held, next] = [Uint32Array.from(prompt(20)), Uint32Array.from(prompt(250, 3))];
    await decode(own, 0, 0, held);
    const expected = await drawGreedy(fixture, 0, 20, next);
    const giveUp = async (): Promise<unknown> => {
      own.cut(0, 20);
      own.initBatch(next.length);
      own.addToBatch(0, 20, next, Uint32Array.of(next.length - 1));
      const decoding = own.decodeBatch().catch((cause: unknown) => cause);
      // By then it is with the other thread.
      await setImmediate();
      own.interrupt?.();
      return decoding;
    };
    // A step of this tiny model takes milliseconds: where others have the processor, it can end before it is given up.
    let outcome = await giveUp();
    for (let attempts = 1; attempts < 50 && !(outcome instanceof StepInterrupted); attempts++)
      outcome = await giveUp();
    expect(outcome).toBeInstanceOf(StepInterrupted);
    own.interrupt?.();
    expect(own.cut(0, 20)).toBe(true);
    expect(await drawGreedy(fixture, 0, 20, next)).toBe(expected);
    own.cut(0, 0);
  });

  it('forgets the end of a sequence', async () => {
    const { native } = fixture;
    const tokens = prompt(30);
    const expected = await best(native, await decode(native, 0, 0, tokens));
    native.cut(0, 0);
    await decode(native, 0, 0, [...tokens.slice(0, 20), ...prompt(30, 7)]);
    expect(native.cut(0, 20)).toBe(true);
    expect(await best(native, await decode(native, 0, 20, tokens.slice(20)))).toBe(expected);
    native.cut(0, 0);
  });

  it('copies a sequence over whatever another one holds, also from one copy to the next', async () => {
    const { native } = fixture;
    const tokens = prompt(30);
    const expected = await best(native, await decode(native, 0, 0, tokens));
    await decode(native, 1, 0, prompt(50, 4));
    expect(native.cut(0, 29)).toBe(true);
    await native.copySequence(0, 1);
    await native.copySequence(1, 2);
    for (const sequence of [2, 1, 0]) {
      const index = await decode(native, sequence, 29, tokens.slice(29));
      expect(await best(native, index)).toBe(expected);
    }
    for (const sequence of [0, 1, 2]) native.cut(sequence, 0);
  });

  it('refuses a token that does not exist, and goes on', async () => {
    const { native } = fixture;
    await expect(decode(native, 0, 0, [1, 2, 1_000_000])).rejects.toThrow();
    native.cut(0, 0);
    expect(await best(native, await decode(native, 0, 0, [1, 2, 3]))).toBeGreaterThanOrEqual(0);
    native.cut(0, 0);
  });
});

describe('the native sampler', () => {
  it('applies a bias to tokens that end the turn', async () => {
    const { native, model, vocabulary } = fixture;
    const index = await decode(native, 0, 0, prompt(10));
    const [end = -1] = vocabulary.endOfGeneration;
    const draw = async (bias: number) => {
      const sampler = createNativeSampler(model);
      sampler.applyConfig({
        temperature: 0,
        seed: 0,
        topP: 1,
        minP: 0,
        tokenBiasKeys: Uint32Array.of(end),
        tokenBiasValues: Float32Array.of(bias),
      });
      const token = await native.sampleToken(index, sampler);
      sampler.dispose();
      return token;
    };
    expect(await draw(1000)).toBe(end);
    expect(await draw(Number.NEGATIVE_INFINITY)).not.toBe(end);
    native.cut(0, 0);
  });

  it('starts its random numbers again when it is lent again', async () => {
    const { native, samplers } = fixture;
    const index = await decode(native, 0, 0, prompt(10));
    const config = { temperature: 2, seed: 7, topP: 1, minP: 0 };
    const draws = async (sampler: NativeSampler) => {
      const tokens: number[] = [];
      for (let draw = 0; draw < 20; draw++) tokens.push(await native.sampleToken(index, sampler));
      samplers.giveBack(sampler);
      return tokens;
    };
    const first = await draws(samplers.take(config));
    expect(new Set(first).size).toBeGreaterThan(3);
    expect(await draws(samplers.take(config))).toEqual(first);
    expect(await draws(samplers.take({ ...config, seed: 8 }))).not.toEqual(first);
    expect(await draws(samplers.take(config))).toEqual(first);
    native.cut(0, 0);
  });

  it('forgets bias, penalties and limits when it is lent again', async () => {
    const { native, samplers } = fixture;
    const index = await decode(native, 0, 0, prompt(10));
    const plain = { temperature: 0, seed: 0, topP: 1, minP: 0 };
    const first = samplers.take(plain);
    const expected = await native.sampleToken(index, first);
    samplers.giveBack(first);
    const odd = samplers.take({
      ...plain,
      temperature: 1,
      topK: 3,
      topP: 0.1,
      minP: 0.5,
      repeatPenalty: 2,
      repeatPenaltyFrequencyPenalty: 2,
      repeatPenaltyMaxTokens: 64,
      repeatPenaltyTokens: Uint32Array.of(expected, expected),
      tokenBiasKeys: Uint32Array.of(expected),
      tokenBiasValues: Float32Array.of(-100),
    });
    expect(odd).toBe(first);
    expect(await native.sampleToken(index, odd)).not.toBe(expected);
    samplers.giveBack(odd);
    const again = samplers.take(plain);
    expect(await native.sampleToken(index, again)).toBe(expected);
    samplers.giveBack(again);
    native.cut(0, 0);
  });
});

describe('the template renderer', () => {
  it('renders what it is given and raises what the template raises', () => {
    const render = createTemplateRenderer(
      fixture.llama,
      "{% for m in messages %}{% if m.role == 'x' %}{{ raise_exception('no x') }}{% endif %}[{{ m.content }}]{% endfor %}",
    );
    expect(render({ messages: [{ role: 'user', content: '<é\u{F0000}😀>' }] })).toBe('[<é\u{F0000}😀>]');
    expect(() => render({ messages: [{ role: 'x', content: '' }] })).toThrow('no x');
  });

  it('refuses what is no template', () => {
    expect(() => createTemplateRenderer(fixture.llama, '{% for %}')).toThrow();
  });
});
