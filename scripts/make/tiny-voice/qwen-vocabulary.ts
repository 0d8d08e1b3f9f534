import type { GgufValue } from '../tiny-model/gguf.ts';
import { buildVocabulary } from '../tiny-model/vocabulary/vocabulary.ts';
import { no, text, u32 } from './voice-tensors.ts';

/** Rows for codes of sound, of which llama.cpp has fixed the number; the first 2,048 are heard. */
export const codecVocabulary = 3072;
export const soundCodes = 2048;
/** The code that ends speech. */
export const endOfSpeechCode = 2150;

/** Codes with a meaning of their own, numbered as in Qwen3-TTS. */
const namedCodes: Readonly<Record<number, string>> = {
  2050: 'codec_language_english',
  2053: 'codec_language_german',
  2148: 'codec_pad',
  2149: 'codec_bos',
  [endOfSpeechCode]: 'codec_eos_token',
  2154: 'codec_think',
  2155: 'codec_nothink',
  2156: 'codec_think_bos',
  2157: 'codec_think_eos',
};

/** Numbers of llama.cpp's `llama_token_type`. */
const tokenTypes = { text: 1, control: 3 } as const;

/** Byte pairs as of the tiny chat models, and behind them the codes. */
export function qwenVocabulary(): { tokenCount: number; metadata: [string, GgufValue][] } {
  const { entries, merges, endOfTextId } = buildVocabulary(360, [
    '<tts_pad>',
    '<tts_text_bos>',
    '<tts_text_eod>',
  ]);
  const codes = Array.from(
    { length: codecVocabulary },
    (_, code) => `<|${namedCodes[code] ?? `codec_${code}`}|>`,
  );
  const suppressed = codes.flatMap((_, code) =>
    code < soundCodes || code === endOfSpeechCode ? [] : [entries.length + code],
  );
  const types = [...entries.map(({ kind }) => tokenTypes[kind]), ...codes.map(() => tokenTypes.control)];
  return {
    tokenCount: types.length,
    metadata: [
      ['tokenizer.ggml.model', text('gpt2')],
      ['tokenizer.ggml.pre', text('qwen2')],
      [
        'tokenizer.ggml.tokens',
        { type: 'strings', value: [...entries.map((entry) => entry.text), ...codes] },
      ],
      ['tokenizer.ggml.token_type', { type: 'i32s', value: types }],
      ['tokenizer.ggml.merges', { type: 'strings', value: merges.map((merge) => merge.join(' ')) }],
      ['tokenizer.ggml.eos_token_id', u32(entries.length + endOfSpeechCode)],
      ['tokenizer.ggml.padding_token_id', u32(endOfTextId)],
      ['tokenizer.ggml.suppress_tokens', { type: 'i32s', value: suppressed }],
      ['tokenizer.ggml.add_bos_token', no],
      ['tokenizer.ggml.add_eos_token', no],
    ],
  };
}
