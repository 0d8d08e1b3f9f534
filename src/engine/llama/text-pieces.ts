/** Texts of up to this many characters are tokenised in one call: some 10 ms of the main thread. */
export const pieceChars = 16_384;
/**
 * llama.cpp's pre-tokenizers for BPE recurse per character of what they match: 24 KB of one letter overflow the
 * stack. Without a word's end for so long a text is cut anywhere.
 */
const longestStretchChars = 2_048;

/**
 * Pieces of `text` that tokenise to the same tokens as the whole: cut before a blank or CJK punctuation that
 * follows a letter or digit, which no tokenizer joins. Where none comes for too long, which is sooner with
 * `shortStretches`, the cut is made anywhere, but never within one of `wholeTexts`.
 */
export function* splitForTokenizer(
  text: string,
  shortStretches: boolean,
  wholeTexts: readonly string[] = [],
): Generator<string> {
  const longestStretch = shortStretches ? longestStretchChars : pieceChars;
  let start = 0;
  let boundary = 0;
  let previous = classOf(text.charCodeAt(0));
  for (let index = 1; index < text.length; index++) {
    const code = text.charCodeAt(index);
    const current = classOf(code);
    const mayEndWord = current !== previous && previous === 'word';
    if (mayEndWord && (current === 'blank' || isCjkPunctuation(code)) && endsWord(text, index))
      boundary = index;
    previous = current;
    const isStretched = index - Math.max(start, boundary) >= longestStretch;
    if (!isStretched && index - start < pieceChars) continue;
    const cut = cutBeside(wholeTexts, text, isStretched ? index : boundary, start);
    yield text.slice(start, cut);
    start = cut;
  }
  if (start < text.length) yield text.slice(start);
}

/** `cut`, or the nearest place before it (and after `start`) that is within no character and no whole text. */
function cutBeside(wholeTexts: readonly string[], text: string, cut: number, start: number): number {
  let moved = isLowSurrogate(text.charCodeAt(cut)) ? cut - 1 : cut;
  for (const whole of wholeTexts) {
    const from = Math.max(start + 1, cut - whole.length + 1);
    const at = text.slice(from, cut + whole.length).indexOf(whole);
    if (at >= 0 && from + at < moved) moved = from + at;
  }
  return moved;
}

/** Whether the character before `index` is a letter or a digit, not a sign that looks like neither. */
function endsWord(text: string, index: number): boolean {
  const code = text.charCodeAt(index - 1);
  return code < 0x80 || /[\p{L}\p{N}]/u.test(text.charAt(index - 1));
}

/** `word` stands for everything beyond ASCII too, except CJK punctuation. */
function classOf(code: number): 'blank' | 'word' | 'mark' {
  if (code === 0x20 || (code >= 0x09 && code <= 0x0d)) return 'blank';
  if (code >= 0x80) return isCjkPunctuation(code) ? 'mark' : 'word';
  const isDigit = code >= 0x30 && code <= 0x39;
  const letter = code | 0x20;
  return isDigit || (letter >= 0x61 && letter <= 0x7a) ? 'word' : 'mark';
}

const isCjkPunctuation = (code: number) =>
  (code >= 0x3000 && code <= 0x303f) || (code >= 0xff01 && code <= 0xff0f);
const isLowSurrogate = (code: number) => code >= 0xdc00 && code <= 0xdfff;
