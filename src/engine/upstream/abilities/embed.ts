import type { EmbeddingRequest } from '../../types.ts';
import type { Usage } from '../../generation/generation.ts';
import { jsonContent } from '../connection.ts';
import { refusedByUpstream } from '../failures.ts';
import type { Upstream } from './upstream-answer.ts';
import { readVectors, toEmbeddingBody } from '../wire/embeddings.ts';
import { fieldsOf } from '../wire/json.ts';
import { RefusedError } from '../wire/refusal.ts';

/** Inputs of one request to an upstream, so that no answer is too large to be parsed at once. */
const mostInputs = 32;
/** The vector of one input: 8192 numbers of 22 digits take less. */
const mostVectorBytes = 2 ** 18;
const mostAnswerBytes = 2 ** 22;
const bytesPerToken = 4;

/** The vectors of all inputs, and their tokens. Throws AppError, or anything once `signal` is aborted. */
export async function embedUpstream(
  request: EmbeddingRequest,
  upstream: Upstream,
  signal: AbortSignal,
): Promise<{ readonly vectors: readonly Float32Array[]; readonly usage: Usage }> {
  const vectors: Float32Array[] = [];
  let promptTokens = 0;
  let source: Usage['source'] = 'reported';
  for (let first = 0; first < request.inputs.length; first += mostInputs) {
    const inputs = request.inputs.slice(first, first + mostInputs);
    const answer = await askForVectors({ ...request, inputs }, first, upstream, signal);
    vectors.push(...answer.vectors);
    promptTokens += answer.tokens ?? estimateTokens(inputs);
    if (answer.tokens === undefined) source = 'estimated';
  }
  return {
    vectors,
    usage: { promptTokens, cachedTokens: 0, completionTokens: 0, reasoningTokens: 0, source },
  };
}

async function askForVectors(
  request: EmbeddingRequest,
  first: number,
  { addresses, connection, spec }: Upstream,
  signal: AbortSignal,
): Promise<{ readonly vectors: readonly Float32Array[]; readonly tokens: number | undefined }> {
  const body = jsonContent(toEmbeddingBody(request, spec.model));
  return await addresses.use(undefined, signal, async (address, begun) => {
    try {
      const mostBytes = Math.min(mostAnswerBytes, mostVectorBytes * request.inputs.length);
      const answer = await connection.postForFields(address, '/embeddings', body, { mostBytes }, signal);
      const vectors = readVectors(answer, request.inputs.length);
      begun();
      const tokens = fieldsOf(answer['usage'])?.['prompt_tokens'];
      // No text has more tokens than bytes, save for a few that the model puts around each.
      const most = body.content.length + 8 * request.inputs.length;
      const isPossible = Number.isSafeInteger(tokens) && Number(tokens) > 0 && Number(tokens) <= most;
      return { vectors, tokens: isPossible ? Number(tokens) : undefined };
    } catch (error) {
      if (!(error instanceof RefusedError)) throw error;
      throw refusedByUpstream(error.refusal, (param) => toInputParam(param, first), 'inputs');
    }
  });
}

const toInputParam = (param: string, first: number): string =>
  param
    .replace(/^input\[(\d+)\]/, (_match, index: string) => `inputs[${Number(index) + first}]`)
    .replace(/^input(?=$|\.)/, 'inputs');

function estimateTokens(inputs: EmbeddingRequest['inputs']): number {
  let tokens = 0;
  for (const input of inputs)
    tokens += typeof input === 'string' ? Math.ceil(Buffer.byteLength(input) / bytesPerToken) : input.length;
  return tokens;
}
