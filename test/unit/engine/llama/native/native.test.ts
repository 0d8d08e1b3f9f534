import { readFileSync } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTemplateRenderer } from '../../../../../src/engine/llama/template-engine.ts';
import { readFilesInSmallParts } from '../../../../../src/engine/llama/open-llama.ts';
import { nativeModelOf } from '../../../../../src/engine/llama/native/model.ts';
import { StepInterrupted } from '../../../../../src/engine/llama/native/context/context.ts';
import { neutralSampling } from '../../../../../src/engine/generation/sampling-options.ts';
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
const best = (sequence: number, position: number, tokens: readonly number[]) =>
  drawGreedy(fixture, sequence, position, Uint32Array.from(tokens));

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
    expect(createTemplateRenderer(llama, '{{ a }}')({ a: 'b' })).toBe('b');
  });
});

describe.runIf(hasStepper)('the native context', () => {
  it('computes a sequence the same in one go, in pieces and beside others', async () => {
    const { own } = fixture;
    const tokens = prompt(40);
    const inOneGo = await best(0, 0, tokens);
    await decode(own, 1, 0, tokens.slice(0, 25));
    expect(await best(1, 25, tokens.slice(25))).toBe(inOneGo);
    const { handle: sampler } = own.stepper.createSampler(
      { ...neutralSampling, temperature: 0, seed: 1 },
      new Uint32Array(),
    );
    own.initBatch(80);
    own.addToBatch(1, 40, Uint32Array.from(prompt(40, 3)), Uint32Array.of());
    own.cut(2, 0);
    const [logitIndex = -1] = own.addToBatch(2, 0, Uint32Array.from(tokens), Uint32Array.of(39));
    const [drawn] = await own.decodeBatch([{ logitIndex, sampler, alternatives: -1 }]);
    expect(drawn?.[0]).toBe(inOneGo);
    for (const sequence of [0, 1, 2]) own.cut(sequence, 0);
  });

  it('gives up what it decodes, and goes on from what it held before', async () => {
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
    const { own } = fixture;
    const tokens = prompt(30);
    const expected = await best(0, 0, tokens);
    own.cut(0, 0);
    await decode(own, 0, 0, [...tokens.slice(0, 20), ...prompt(30, 7)]);
    expect(own.cut(0, 20)).toBe(true);
    expect(await best(0, 20, tokens.slice(20))).toBe(expected);
    own.cut(0, 0);
  });

  it('copies a sequence over whatever another one holds, also from one copy to the next', async () => {
    const { own } = fixture;
    const tokens = prompt(30);
    const expected = await best(0, 0, tokens);
    await decode(own, 1, 0, prompt(50, 4));
    expect(own.cut(0, 29)).toBe(true);
    await own.copySequence(0, 1);
    await own.copySequence(1, 2);
    for (const sequence of [2, 1, 0]) expect(await best(sequence, 29, tokens.slice(29))).toBe(expected);
    for (const sequence of [0, 1, 2]) own.cut(sequence, 0);
  });

  it('refuses a token that does not exist, and goes on', async () => {
    const { own } = fixture;
    await expect(decode(own, 0, 0, [1, 2, 1_000_000])).rejects.toThrow();
    own.cut(0, 0);
    expect(await best(0, 0, [1, 2, 3])).toBeGreaterThanOrEqual(0);
    own.cut(0, 0);
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
