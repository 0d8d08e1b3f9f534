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

const utf8 = new TextEncoder();

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
