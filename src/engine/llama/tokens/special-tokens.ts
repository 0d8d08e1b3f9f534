import { tokenAttribute, type NativeModel } from '../native/model.ts';

/** Vocabularies beyond these bounds are refused: the work for each token on the main thread must stay short. */
const mostSpecialTokens = 2 ** 17;
const longestSpecialChars = 1_024;
const mostSpecialChars = 2 ** 20;

/** The tokens of a vocabulary that are not plain text. */
export interface SpecialTokens {
  /** Tokens that end the model's turn. */
  readonly endOfGeneration: ReadonlySet<number>;
  /** Ids of control tokens by their texts. */
  readonly controlTokens: ReadonlyMap<string, number>;
  /** Texts of user-defined tokens: parsed wherever they stand, special or not. */
  readonly userDefinedTexts: readonly string[];
  /** The texts of both, each once. */
  readonly texts: readonly string[];
}

/** The special tokens among the first `size` ids. Throws Error when they are too many or too long to be worked with. */
export function readSpecialTokens(model: NativeModel, size: number): SpecialTokens {
  const endOfGeneration = new Set<number>();
  const controlTokens = new Map<string, number>();
  const userDefinedTexts: string[] = [];
  for (let token = 0; token < size; token++) {
    const attributes = model.getTokenAttributes(token);
    if (model.isEogToken(token)) endOfGeneration.add(token);
    const special = attributes & (tokenAttribute.control | tokenAttribute.unknown);
    if (special === 0 && (attributes & tokenAttribute.userDefined) === 0) continue;
    const text = model.getTokenString(token) ?? '';
    if (text === '') continue;
    if (special === 0) userDefinedTexts.push(text);
    else controlTokens.set(text, token);
  }
  const texts = [...new Set([...controlTokens.keys(), ...userDefinedTexts])];
  if (texts.length > mostSpecialTokens)
    throw new Error(`its vocabulary has more than ${mostSpecialTokens} special tokens`);
  checkLength(texts, longestSpecialChars, 'special token');
  if (texts.reduce((total, { length }) => total + length, 0) > mostSpecialChars)
    throw new Error(`its special tokens have together more than ${mostSpecialChars} characters`);
  return { endOfGeneration, controlTokens, userDefinedTexts, texts };
}

/** Length of the longest of `texts`. Throws Error when one is longer than `most` UTF-16 units. */
export function checkLength(texts: readonly string[], most: number, what: string): number {
  const longest = texts.reduce((length, text) => Math.max(length, text.length), 0);
  if (longest <= most) return longest;
  throw new Error(
    `its vocabulary has a ${what} of ${longest} characters; the longest that can be served is ${most}`,
  );
}
