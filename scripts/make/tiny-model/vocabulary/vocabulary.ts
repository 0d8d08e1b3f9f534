import { byteCharacters, toBytes, trainMerges } from './byte-pair-encoding.ts';
import type { Merge } from './byte-pair-encoding.ts';
import { sampleText } from './sample-text.ts';

/** Where in a character a token begins or ends: between two, or just before the last byte of one. */
export type CharacterState = 'boundary' | 'middle';

export interface VocabularyEntry {
  readonly text: string;
  /** llama.cpp's token types: text, or a control token that only templates may write. */
  readonly kind: 'text' | 'control';
  /** The state of text that the token may follow; undefined: no valid text holds it, so it is never generated. */
  readonly entry: CharacterState | undefined;
  readonly exit: CharacterState;
}

export interface Vocabulary {
  /** Indexed by token id. */
  readonly entries: readonly VocabularyEntry[];
  readonly merges: readonly Merge[];
  readonly endOfTextId: number;
  readonly endOfTurnId: number;
}

export const endOfText = '<|endoftext|>';
export const startOfTurn = '<|im_start|>';
export const endOfTurn = '<|im_end|>';

/** A byte-level BPE vocabulary: the 256 bytes, learnt merges, the texts given and ChatML's control tokens. */
export function buildVocabulary(
  mergeCount: number,
  controlTexts: readonly string[] = [],
  furtherTexts: readonly string[] = [],
): Vocabulary {
  const merges = trainMerges(sampleText, mergeCount);
  // Two different merges may make the same text; a vocabulary holds each text once.
  const texts = new Set([...byteCharacters, ...merges.map(([left, right]) => left + right), ...furtherTexts]);
  const entries: VocabularyEntry[] = [...texts].map(describeTextToken);
  for (const text of controlTexts)
    entries.push({ text, kind: 'control', entry: 'boundary', exit: 'boundary' });
  entries.push(
    { text: endOfText, kind: 'control', entry: undefined, exit: 'boundary' },
    { text: startOfTurn, kind: 'control', entry: undefined, exit: 'boundary' },
    { text: endOfTurn, kind: 'control', entry: 'boundary', exit: 'boundary' },
  );
  return { entries, merges, endOfTextId: entries.length - 3, endOfTurnId: entries.length - 1 };
}

function describeTextToken(text: string): VocabularyEntry {
  const bytes = toBytes(text);
  const exit: CharacterState = isValidUtf8(bytes) || isValidUtf8([0xc3, ...bytes]) ? 'boundary' : 'middle';
  // The last byte of a character may be anything in 0x80..0xBF: both ends valid means that all are.
  const endings = exit === 'boundary' ? [[]] : [[0x80], [0xbf]];
  const mayFollow = (start: readonly number[]): boolean =>
    endings.every((ending) => isValidUtf8([...start, ...bytes, ...ending]));
  const entry = mayFollow([]) ? 'boundary' : mayFollow([0xc3]) ? 'middle' : undefined;
  return { text, kind: 'text', entry: hasControlCharacter(bytes) ? undefined : entry, exit };
}

function isValidUtf8(bytes: Iterable<number>): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(Uint8Array.from(bytes));
    return true;
  } catch {
    return false;
  }
}

function hasControlCharacter(bytes: Uint8Array): boolean {
  const newline = 0x0a;
  return bytes.some((byte) => (byte < 0x20 && byte !== newline) || byte === 0x7f);
}
