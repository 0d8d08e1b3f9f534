import type { Llama } from 'node-llama-cpp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { nativeModelOf, type NativeModel } from '../../../../../src/engine/llama/native/model.ts';
import { Vocabulary } from '../../../../../src/engine/llama/tokens/vocabulary.ts';
import { openTestLlama } from '../../../../support/models/native-model.ts';
import { sharedModel } from '../../../../support/models/shared-models.ts';
import { tinyEncoder, tinyModel } from '../../../../support/models/tiny-model.ts';

/** Vocabularies of real models, where they exist: two kinds, and several pre-tokenizers of the first. */
const realVocabularies = ['qwen2', 'llama-bpe', 'deepseek-llm', 'gpt-2', 'llama-spm', 'phi-3'].flatMap(
  (name) => {
    const path = sharedModel(`vocab/ggml-vocab-${name}.gguf`);
    return path === undefined ? [] : [{ name, path: () => Promise.resolve(path), vocabOnly: true }];
  },
);

let llama: Llama;
beforeAll(async () => {
  llama = await openTestLlama();
});
afterAll(() => llama.dispose());

const joined = (parts: readonly ArrayLike<number>[]) =>
  Uint8Array.from(parts.flatMap((part) => Array.from(part)));

describe.for([{ name: 'tiny', path: () => tinyModel(), vocabOnly: false }, ...realVocabularies])(
  'the vocabulary of $name',
  ({ path, vocabOnly }) => {
    let native: NativeModel;
    let vocabulary: Vocabulary;
    beforeAll(async () => {
      const model = await llama.loadModel({ modelPath: await path(), vocabOnly });
      native = nativeModelOf(model);
      vocabulary = new Vocabulary(model);
      return () => model.dispose();
    });

    const bytesOf = (tokens: Uint32Array) => joined([...tokens].map((token) => vocabulary.bytesOf(token)));
    /** SPM puts a space in front of a text. */
    const textOf = (tokens: Uint32Array) => new TextDecoder().decode(bytesOf(tokens)).replace(/^ /, '');

    it('tokenises a long text in pieces as it would in one go', async () => {
      const unit =
        "The fox, he said, “went” out\n on 12 dogs:\n\n  followed… 天气好，走。 Было! C'est l’été.\n";
      const text = unit.repeat(800);
      const inOneGo = native.tokenize(text, true);
      const tokens = await vocabulary.tokenize(text, true);
      expect(tokens.length).toBe(inOneGo.length);
      expect(tokens.every((token, index) => token === inOneGo[index])).toBe(true);
    });

    it('knows the exact bytes of every token', () => {
      const special = new Set([...vocabulary.controlTexts, ...vocabulary.userDefinedTexts]);
      const bytes = new Set<number>();
      const mismatches: string[] = [];
      for (let token = 0; token < vocabulary.size; token++) {
        const own = vocabulary.bytesOf(token);
        const text = native.getTokenString(token) ?? '';
        if (own.length === 1) for (const byte of own) bytes.add(byte);
        // A token that is whole text by itself must be the text that llama.cpp makes of it, but for spaces in front.
        const shown = new TextDecoder('utf-8', { ignoreBOM: true }).decode(own);
        if (special.has(text) || shown.includes('\uFFFD')) continue;
        const detokenized = native.detokenize(Uint32Array.of(token), false);
        if (shown.trimStart() !== detokenized.trimStart()) mismatches.push(text);
      }
      expect(mismatches).toEqual([]);
      // 13 bytes are in no UTF-8 text: some vocabularies leave them out.
      expect(bytes.size).toBeGreaterThanOrEqual(256 - 13);
    });

    it('gives every character back', async () => {
      const text = 'naïve 🦊🏳️‍🌈 \u0000\u0001 \t\r\n 天 \u{10FFFF} ﬁ \u00A0\u200B end';
      expect(textOf(await vocabulary.tokenize(text, false))).toBe(text);
    });

    it.each(['a', '7', '!', ' ', '\n', '—!', 'a7', '🦊', '天'])('survives 100 KB of %j', async (unit) => {
      const text = unit.repeat(100_000 / unit.length);
      const tokens = await vocabulary.tokenize(text, true);
      expect(textOf(tokens).trim()).toBe(text.trim());
    });

    it('writes out what tokens stand for, control tokens too', async () => {
      const control = vocabulary.controlTexts.find((text) => text.length > 3) ?? '';
      const text = `Grüße, 日本語 \u{1f525}\n  two${control}`;
      expect(vocabulary.textOf(vocabulary.withBos(await vocabulary.tokenize(text, true)))).toBe(text);
    });

    it('joins texts in a row without adding anything', async () => {
      const tokens = await vocabulary.tokenize(['Hel', 'lo wor', 'ld', ' x', ' ', ' y', '\nz'], true);
      expect(textOf(tokens)).toBe('Hello world x  y\nz');
    });

    it('makes a control token only of a text that is whole', async () => {
      const [control] = vocabulary.controlTexts.filter((text) => text.length > 2);
      if (control === undefined) return;
      const isControl = (token: number) => vocabulary.bytesOf(token).length === 0;
      const broken = [control.slice(0, 1), control.slice(1)];
      expect([...(await vocabulary.tokenize(['a', control], true))].filter(isControl)).toHaveLength(1);
      expect([...(await vocabulary.tokenize(['a', control], false))].filter(isControl)).toHaveLength(0);
      const tokens = await vocabulary.tokenize(['a', ...broken], true);
      expect([...tokens].filter(isControl)).toHaveLength(0);
      expect(textOf(tokens)).toBe(`a${control}`);
    });

    it('does not lose a control token behind a run that has to be cut', async () => {
      const [control] = vocabulary.controlTexts.filter((text) => text.length > 2);
      if (control === undefined) return;
      const controlTokens = [];
      for (let length = 2040; length < 2052; length++) {
        const tokens = await vocabulary.tokenize(`${'!'.repeat(length)}${control}${'!'.repeat(3000)}`, true);
        controlTokens.push([...tokens].filter((token) => vocabulary.bytesOf(token).length === 0).length);
      }
      expect(new Set(controlTokens)).toEqual(new Set([1]));
    });

    it('gives up a text that has enough tokens already', async () => {
      const tokens = await vocabulary.tokenize('word '.repeat(200_000), true, 1000);
      expect(tokens.length).toBeGreaterThan(1000);
      expect(tokens.length).toBeLessThan(1000 + 32_768);
    });

    // The same code for all vocabularies.
    it.skipIf(vocabOnly)('leaves other work its turn', async () => {
      let turns = 0;
      const counting = setInterval(() => turns++, 0);
      await vocabulary.tokenize(
        Array.from({ length: 100_000 }, () => '<'),
        true,
      );
      clearInterval(counting);
      expect(turns).toBeGreaterThan(5);
    });
  },
);

describe('fill-in-the-middle', () => {
  it('is known by its three tokens', async () => {
    const controlTexts = ['<|fim_prefix|>', '<|fim_suffix|>', '<|fim_middle|>'];
    for (const texts of [controlTexts, controlTexts.slice(1), []]) {
      const model = await llama.loadModel({ modelPath: await tinyModel({ controlTexts: texts }) });
      const { fillInTheMiddle, controlTokens } = new Vocabulary(model);
      const [prefix, suffix, middle] = controlTexts.map((text) => controlTokens.get(text));
      const found = { prefix, suffix, middle, file: undefined, repository: [] };
      expect(fillInTheMiddle).toEqual(texts.length === 3 ? found : undefined);
      await model.dispose();
    }
  });
});

describe('a text to be embedded', () => {
  it('is put between the tokens that an encoder wants, where they are missing', async () => {
    const model = await llama.loadModel({ modelPath: await tinyEncoder() });
    const vocabulary = new Vocabulary(model);
    const [cls, sep] = [vocabulary.controlTokens.get('[CLS]'), vocabulary.controlTokens.get('[SEP]')];
    const tokens = await vocabulary.tokenize('The house [CLS]', false);
    expect([...vocabulary.enclose(tokens)]).toEqual([cls, ...tokens, sep]);
    expect([...tokens]).not.toContain(cls);
    expect(vocabulary.enclose(vocabulary.enclose(tokens))).toEqual(vocabulary.enclose(tokens));
    await model.dispose();
  });

  it('stays as it is where the model wants nothing', async () => {
    const model = await llama.loadModel({ modelPath: await tinyModel() });
    const vocabulary = new Vocabulary(model);
    const tokens = await vocabulary.tokenize('The house', false);
    expect(vocabulary.enclose(tokens)).toEqual(tokens);
    await model.dispose();
  });
});
