import { AppError } from '../../../errors/errors.ts';
import { Slices } from '../../../timing/slices.ts';
import type { TokenizeRequest, TokenizedText } from '../../text-engine.ts';
import { isMediumId } from '../media/medium-ids.ts';
import { reasoningOf } from '../prepared-request.ts';
import { describeToken } from '../sampling/logprobs.ts';
import { checkTokens, leastCountedTokens, type PromptTokenizer } from './prompt-tokens.ts';
import type { Vocabulary } from './vocabulary.ts';

interface TokenReader {
  readonly vocabulary: Vocabulary;
  readonly contextTokens: number;
  /** Undefined: the model takes no conversations. */
  readonly promptTokenizer?: PromptTokenizer;
}

/**
 * The tokens of a prompt, or the text of tokens. Throws AppError: context_length_exceeded for a text that is too long
 * to be counted, and invalid_value for an id that is no token, or messages that the template refuses.
 */
export async function readTokens(
  request: TokenizeRequest,
  reader: TokenReader,
  signal: AbortSignal,
): Promise<TokenizedText> {
  const { vocabulary, contextTokens } = reader;
  const tokens = await tokensOf(request, reader, signal);
  const pieces: { token: string; bytes: readonly number[] }[] = [];
  const slices = new Slices();
  if (request.withPieces)
    for (const token of tokens) {
      pieces.push(describeToken(vocabulary, token));
      if (slices.isOver) await slices.next();
    }
  return { tokens: [...tokens], pieces, text: vocabulary.textOf(tokens), contextTokens };
}

async function tokensOf(
  request: TokenizeRequest,
  { vocabulary, contextTokens, promptTokenizer }: TokenReader,
  signal: AbortSignal,
): Promise<Uint32Array> {
  const { prompt, addSpecial, parseSpecial } = request;
  if (prompt.kind === 'messages') {
    if (promptTokenizer !== undefined) {
      const reasoning = reasoningOf(request, promptTokenizer.facts);
      const tokens = await promptTokenizer.read({ ...request, ...reasoning }, signal);
      if (!tokens.some(isMediumId)) return tokens;
      throw new AppError(
        'unsupported_value',
        'Pictures and recordings have no tokens to be shown. Leave them out.',
        { param: 'messages' },
      );
    }
    throw new AppError('unsupported_value', 'This model takes no conversations. Send a text.', {
      param: 'messages',
    });
  }
  if (prompt.kind === 'tokens') {
    checkTokens(vocabulary, prompt.tokens, 'prompt');
    return Uint32Array.from(prompt.tokens);
  }
  const most = Math.max(4 * contextTokens, leastCountedTokens);
  const own = await vocabulary.tokenize(prompt.text, parseSpecial, most);
  if (own.length > most)
    throw new AppError(
      'context_length_exceeded',
      `The text has more than ${most} tokens. Send it in parts.`,
      {
        param: 'prompt',
      },
    );
  if (!addSpecial) return own;
  return promptTokenizer === undefined ? vocabulary.enclose(own) : vocabulary.withBos(own);
}
