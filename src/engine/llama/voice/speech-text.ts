/** Makes a text fit to be spoken: pieces that a model speaks one after the other. */

/** Counts a text's tokens. */
type CountTokens = (text: string) => Promise<number>;

/**
 * Most tokens between two marks of punctuation. Beyond 50, Pocket TTS leaves words out, and it cuts only at marks: a comma
 * is put where a text has none.
 */
const mostRunTokens = 40;

/** A run of text with the marks that end it, those of a sentence or weaker ones. */
const runs = /[^.!?…。！？,;:，；：、]*[.!?…。！？,;:，；：、]*\s*/gu;
const endOfSentence = /[.!?…。！？]\s*$/u;
/** Texts such as <|im_end|> would be read as tokens that control the model. */
const controlTexts = /<(?=\|?\w+\|?>)/g;

/** `text` in one line, without texts that would control a model. */
export const plainText = (text: string): string =>
  text.replace(/\s+/g, ' ').replace(controlTexts, '< ').trim();

/** Marks alone, which nobody says. */
const marksAlone = /^[\p{P}\s]*$/u;
/** The library reserves a token for each byte of a text, and a few more; vocabularies of sounds need more for digits. */
const sparedTokens = 8;

/** `piece` with white space in it that changes nothing but its length, where it has more tokens than bytes. */
export function withRoom(piece: string, tokens: number): string {
  const missing = tokens - Buffer.byteLength(piece) - sparedTokens;
  if (missing <= 0) return piece;
  const space = piece.indexOf(' ');
  const characters = Array.from(piece);
  const at = space > 0 ? space : piece.length - (characters.at(-1)?.length ?? 0);
  return `${piece.slice(0, at)}${' '.repeat(missing)}${piece.slice(at)}`;
}

/** `text` in pieces of about `pieceTokens` tokens at most, cut at the ends of sentences where there are such. */
export async function piecesOf(
  text: string,
  pieceTokens: number,
  countTokens: CountTokens,
): Promise<string[]> {
  if (marksAlone.test(text)) return [];
  const pieces: string[] = [];
  let piece = { text: '', tokens: 0 };
  const flush = () => {
    if (piece.text.trim() !== '') pieces.push(piece.text.trim());
    piece = { text: '', tokens: 0 };
  };
  for (const sentence of await sentencesOf(text, countTokens)) {
    const sentenceTokens = sentence.reduce((sum, { tokens }) => sum + tokens, 0);
    if (piece.tokens + sentenceTokens > pieceTokens) flush();
    for (const run of sentence) {
      if (piece.tokens + run.tokens > pieceTokens) flush();
      piece = { text: piece.text + run.text, tokens: piece.tokens + run.tokens };
    }
  }
  flush();
  return pieces;
}

interface Run {
  readonly text: string;
  readonly tokens: number;
}

/** The sentences of `text`, each as its runs. */
async function sentencesOf(text: string, countTokens: CountTokens): Promise<Run[][]> {
  const sentences: Run[][] = [[]];
  for (const [run] of text.matchAll(runs)) {
    for (const part of await shortened(run, countTokens)) sentences.at(-1)?.push(part);
    if (endOfSentence.test(run)) sentences.push([]);
  }
  return sentences;
}

/** `run` in parts of few tokens; all but the last get a comma. */
async function shortened(run: string, countTokens: CountTokens): Promise<Run[]> {
  if (run === '') return [];
  const tokens = await countTokens(run);
  const characters = Array.from(run);
  if (tokens <= mostRunTokens || characters.length < 2) return [{ text: run, tokens }];
  const middle = Math.floor(characters.length / 2);
  const space = characters.lastIndexOf(' ', middle);
  const cut = space > 0 ? space : middle;
  const head = characters.slice(0, cut).join('');
  const tail = characters.slice(cut).join('');
  return [
    ...(await shortened(`${head},${space > 0 ? '' : ' '}`, countTokens)),
    ...(await shortened(tail, countTokens)),
  ];
}
