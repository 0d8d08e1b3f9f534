/** Texts of up to this many characters are tokenised in one call: some 10 ms of the main thread. */
const pieceChars = 16_384;
/** llama.cpp's pre-tokenizers recurse per character of an unbroken run: 24 KB of one letter overflow the stack. */
const longestRunChars = 2_048;

type CharacterClass = 'blank' | 'letter' | 'digit' | 'mark';

/**
 * Pieces of `text` that tokenise to the same tokens as the whole: cut before a blank or CJK punctuation that
 * follows a letter or digit, which no tokenizer joins. With `cutRuns`, a run of more than `longestRunChars`
 * characters of one class is cut anywhere, because the tokenizer would not survive it.
 */
export function* splitForTokenizer(text: string, cutRuns: boolean): Generator<string> {
  let start = 0;
  let boundary = 0;
  let runStart = 0;
  let previous = classOf(text.charCodeAt(0));
  for (let index = 1; index < text.length; index++) {
    const code = text.charCodeAt(index);
    const current = classOf(code);
    if (current !== previous) {
      runStart = index;
      if ((previous === 'letter' || previous === 'digit') && (current === 'blank' || isCjkPunctuation(code)))
        boundary = index;
    }
    previous = current;
    const runTooLong = cutRuns && index - runStart >= longestRunChars;
    if (!runTooLong && (index - start < pieceChars || (boundary <= start && !cutRuns))) continue;
    let cut = boundary > start && !runTooLong ? boundary : index;
    if (isLowSurrogate(text.charCodeAt(cut))) cut--;
    yield text.slice(start, cut);
    start = cut;
    if (runTooLong) runStart = cut;
  }
  if (start < text.length) yield text.slice(start);
}

function classOf(code: number): CharacterClass {
  if (code === 0x20 || (code >= 0x09 && code <= 0x0d)) return 'blank';
  if (code >= 0x30 && code <= 0x39) return 'digit';
  if ((code >= 0x41 && code <= 0x5a) || (code >= 0x61 && code <= 0x7a)) return 'letter';
  return code < 0x80 || isCjkPunctuation(code) ? 'mark' : 'letter';
}

const isCjkPunctuation = (code: number) =>
  (code >= 0x3000 && code <= 0x303f) || (code >= 0xff01 && code <= 0xff0f);
const isLowSurrogate = (code: number) => code >= 0xdc00 && code <= 0xdfff;
