import { sampleText } from '../tiny-model/vocabulary/sample-text.ts';
import type { GgufValue } from '../tiny-model/gguf.ts';
import { no, text, yes } from './voice-tensors.ts';

/** Rows of the table that stand for no text: llama.cpp looks them up before a voice and before the first frame. */
const controlTexts = ['<|pad|>', '<|bos_before_voice|>', '<|audio_bos|>'];
/** llama.cpp takes them for padding, the end and the unknown where a file of this tokenizer says nothing else. */
const firstTexts = ['<pad>', '</s>', '<unk>'];
const space = '▁';

/** Numbers of llama.cpp's `llama_token_type`. */
const tokenTypes = { text: 1, unknown: 2, control: 3, unused: 5 } as const;

interface Piece {
  readonly text: string;
  readonly kind: keyof typeof tokenTypes;
  readonly score: number;
}

/** The words and characters of a sample text as a unigram vocabulary of `size` pieces, or as many as there are. */
export function pocketVocabulary(size: number): { pieceCount: number; metadata: [string, GgufValue][] } {
  const pieces = piecesOf(size);
  return {
    pieceCount: pieces.length,
    metadata: [
      ['tokenizer.ggml.model', text('t5')],
      ['tokenizer.ggml.pre', text('default')],
      ['tokenizer.ggml.tokens', { type: 'strings', value: pieces.map((piece) => piece.text) }],
      ['tokenizer.ggml.scores', { type: 'f32s', value: pieces.map(({ score }) => score) }],
      ['tokenizer.ggml.token_type', { type: 'i32s', value: pieces.map(({ kind }) => tokenTypes[kind]) }],
      ['tokenizer.ggml.add_space_prefix', yes],
      ['tokenizer.ggml.remove_extra_whitespaces', yes],
      ['tokenizer.ggml.add_bos_token', no],
      ['tokenizer.ggml.add_eos_token', no],
    ],
  };
}

function piecesOf(size: number): Piece[] {
  const ascii = Array.from({ length: 94 }, (_, index) => String.fromCharCode(33 + index));
  const characters = new Set([space, ...ascii, ...(sampleText.match(/\S/gu) ?? [])]);
  const words = new Set((sampleText.match(/\p{Letter}{2,}/gu) ?? []).map((word) => space + word));
  const pieces: Piece[] = [
    ...firstTexts.map((name): Piece => ({
      text: name,
      kind: name === '<unk>' ? 'unknown' : 'control',
      score: 0,
    })),
    ...[...characters].map((character): Piece => ({ text: character, kind: 'text', score: -8 })),
    ...[...words].map((word): Piece => ({ text: word, kind: 'text', score: -10 })),
  ];
  for (let index = pieces.length; index < size - controlTexts.length; index++)
    pieces.push({ text: `<unused ${index}>`, kind: 'unused', score: -1000 });
  return [...pieces, ...controlTexts.map((name): Piece => ({ text: name, kind: 'control', score: -1000 }))];
}
