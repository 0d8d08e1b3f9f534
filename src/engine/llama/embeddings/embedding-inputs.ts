import { AppError } from '../../../errors/errors.ts';
import { Slices } from '../../../timing/slices.ts';
import type { EmbeddingRequest } from '../../types.ts';
import { checkTokens } from '../tokens/prompt-tokens.ts';
import type { Vocabulary } from '../tokens/vocabulary.ts';

/**
 * The inputs in tokens, at least one and at most `contextTokens` each. Other work runs between them.
 * Throws AppError, its `param` naming the input: invalid_value, context_length_exceeded.
 */
export async function tokenizeInputs(
  inputs: EmbeddingRequest['inputs'],
  vocabulary: Vocabulary,
  contextTokens: number,
): Promise<readonly Uint32Array[]> {
  const enough = 4 * contextTokens;
  const tokenized: Uint32Array[] = [];
  const slices = new Slices();
  for (const [index, input] of inputs.entries()) {
    const param = `inputs[${index}]`;
    if (typeof input !== 'string') checkTokens(vocabulary, input, param);
    const isText = typeof input === 'string';
    const own = isText ? await vocabulary.tokenize(input, false, enough) : Uint32Array.from(input);
    const tokens = own.length > contextTokens ? own : vocabulary.enclose(own);
    if (tokens.length === 0) throw new AppError('invalid_value', 'The text is empty.', { param });
    if (tokens.length > contextTokens) throw tooLong(tokens.length, enough, contextTokens, param);
    tokenized.push(tokens);
    if (slices.isOver) await slices.next();
  }
  return tokenized;
}

function tooLong(tokens: number, enough: number, contextTokens: number, param: string): AppError {
  const count = tokens > enough ? `more than ${enough}` : tokens;
  return new AppError(
    'context_length_exceeded',
    `The text has ${count} tokens, but this model takes ${contextTokens} at most. Shorten it, or send it in parts.`,
    { param },
  );
}
