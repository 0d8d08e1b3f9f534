import { tokenAttribute, vocabularyType, type NativeModel } from '../native/model.ts';

const noBytes = new Uint8Array();
const utf8 = new TextEncoder();

/** Exact bytes that `token` stands for; none for control tokens. */
export function readTokenBytes(model: NativeModel, token: number): Uint8Array {
  const attributes = model.getTokenAttributes(token);
  if ((attributes & (tokenAttribute.control | tokenAttribute.unknown)) !== 0) return noBytes;
  const text = model.getTokenString(token) ?? '';
  if ((attributes & tokenAttribute.byte) !== 0) {
    const hex = /^<0x([0-9A-Fa-f]{2})>$/.exec(text)?.[1];
    if (hex !== undefined) return Uint8Array.of(Number.parseInt(hex, 16));
  }
  if ((attributes & tokenAttribute.userDefined) !== 0) return utf8.encode(text);
  const type = model.getVocabularyType();
  if (type === vocabularyType.bpe) return gpt2BytesOf(text);
  if (type === vocabularyType.spm || type === vocabularyType.ugm)
    return utf8.encode(text.replaceAll('\u2581', ' '));
  return utf8.encode(model.detokenize(Uint32Array.of(token), false));
}

/**
 * Byte-level BPE vocabularies write every byte as a printable character: those that are printable Latin-1 stand
 * for themselves, the others follow from U+0100 on (GPT-2's encoder.py, `bytes_to_unicode`).
 */
const byteOfCharacter = new Map<string, number>();
let nextStandIn = 0x100;
for (let byte = 0; byte < 256; byte++) {
  const printable = (byte >= 0x21 && byte <= 0x7e) || (byte >= 0xa1 && byte <= 0xac) || byte >= 0xae;
  byteOfCharacter.set(String.fromCodePoint(printable ? byte : nextStandIn++), byte);
}

/** The bytes behind a byte-level token's text; characters outside that alphabet stand for themselves. */
export function gpt2BytesOf(tokenText: string): Uint8Array {
  const bytes: number[] = [];
  for (const character of tokenText) {
    const byte = byteOfCharacter.get(character);
    if (byte === undefined) bytes.push(...utf8.encode(character));
    else bytes.push(byte);
  }
  return Uint8Array.from(bytes);
}
