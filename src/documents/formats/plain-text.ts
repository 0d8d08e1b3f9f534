/** Characters that no text has. */
// oxlint-disable-next-line no-control-regex
const binary = /[\0-\x08\x0e-\x1a\x1c-\x1f]/;

/**
 * The text that the bytes of a file are: UTF-8, UTF-16 with its mark, or else the Latin letters of Windows. Undefined: they
 * are no text.
 */
export function decodeText(bytes: Uint8Array): string | undefined {
  const [first, second] = bytes;
  const isUtf16 = (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff);
  const encodings = isUtf16 ? [first === 0xff ? 'utf-16le' : 'utf-16be'] : ['utf-8', 'windows-1252'];
  for (const encoding of encodings) {
    try {
      const text = new TextDecoder(encoding, { fatal: true }).decode(bytes);
      return binary.test(text) ? undefined : text;
    } catch {
      // It is not in this encoding.
    }
  }
  return undefined;
}
