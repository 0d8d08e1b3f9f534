const [quote = 0, backslash, colon, openBracket, openBrace, comma] = new TextEncoder().encode('"\\:[{,');

/**
 * Whether the JSON text in `bytes` has more than `most` objects, arrays and fields, or more than `mostElements` elements,
 * counted without parsing it. Elements are those of arrays, and fields.
 */
export function hasMoreJsonParts(bytes: Uint8Array, most: number, mostElements = Infinity): boolean {
  let parts = 0;
  let elements = 0;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at];
    if (byte === quote) {
      at = endOfString(bytes, at);
    } else if (byte === colon || byte === openBrace || byte === openBracket) {
      parts += 1;
      if (parts > most) return true;
    } else if (byte === comma) {
      elements += 1;
      if (elements > mostElements) return true;
    }
  }
  return false;
}

/**
 * Where the string that begins at `start` ends, or the bytes do. Most of a request with pictures is a few long strings,
 * in which `indexOf` is far faster than a look at each byte.
 */
function endOfString(bytes: Uint8Array, start: number): number {
  for (let end = bytes.indexOf(quote, start + 1); end >= 0; end = bytes.indexOf(quote, end + 1)) {
    let slashes = 0;
    while (bytes[end - 1 - slashes] === backslash) slashes += 1;
    if (slashes % 2 === 0) return end;
  }
  return bytes.length;
}

/** Whether arrays and objects in the JSON text `text` are nested more than `depth` deep, found without parsing it. */
export function isNestedDeeper(text: string, depth: number): boolean {
  let level = 0;
  let inString = false;
  for (let at = 0; at < text.length; at++) {
    const char = text[at];
    if (inString) {
      if (char === '\\') at += 1;
      else if (char === '"') inString = false;
    } else if (char === '"') inString = true;
    else if (char === '{' || char === '[') {
      level += 1;
      if (level > depth) return true;
    } else if (char === '}' || char === ']') level -= 1;
  }
  return false;
}
