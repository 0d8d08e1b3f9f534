import type { LlamaModel } from 'node-llama-cpp';
import { AppError } from '../../../errors/errors.ts';
import type { ServedModel } from '../../model-backend.ts';
import type { RankEnd, RankRequest } from '../../text-engine.ts';
import type { Embedder } from '../embeddings/embedder.ts';
import type { Vocabulary } from '../tokens/vocabulary.ts';

/** Architectures whose scores llama.cpp turns into probabilities itself (build_pooling in llama-graph.cpp). */
const normalised: ReadonlySet<string> = new Set(['qwen3', 'qwen3vl']);

/** How documents are ranked: `rank` of a model whose `embedder` gives one number for a query and a document. */
export function ranking(
  model: LlamaModel,
  vocabulary: Vocabulary,
  embedder: Embedder,
): NonNullable<ServedModel['rank']> {
  const { general, tokenizer } = model.fileInfo.metadata;
  const template = (tokenizer as { readonly 'chat_template.rerank'?: string })['chat_template.rerank'];
  const isNormalised = normalised.has(general.architecture);
  return async (request, signal) => {
    const end = await embedder.embed(
      { ...request, dimensions: undefined, inputs: await inputsOf(request) },
      signal,
    );
    if (end.outcome !== 'finished') return end;
    const scores = end.vectors.map(([value = 0]) => (isNormalised ? value : 1 / (1 + Math.exp(-value))));
    return { outcome: 'finished', scores, usage: end.usage } satisfies RankEnd;
  };

  async function inputsOf({ query, documents }: RankRequest): Promise<readonly number[][]> {
    const most = 4 * embedder.contextTokens;
    const queryTokens = await tokensOf(query, 'query', most);
    const inputs: number[][] = [];
    for (const [index, document] of documents.entries()) {
      const documentTokens = await tokensOf(document, `inputs[${index}]`, most);
      inputs.push(await joined(queryTokens, documentTokens));
    }
    return inputs;
  }

  async function tokensOf(text: string, param: string, most: number): Promise<Uint32Array> {
    const tokens = await vocabulary.tokenize(text, false, most);
    if (tokens.length <= most) return tokens;
    throw new AppError('context_length_exceeded', `The text has more than ${most} tokens. Shorten it.`, {
      param,
    });
  }

  /** The tokens that the model reads, without those around the whole, which the embedder adds. */
  async function joined(query: Uint32Array, document: Uint32Array): Promise<number[]> {
    if (template === undefined) return [...query, ...vocabulary.betweenTexts, ...document];
    const tokens: number[] = [];
    for (const part of template.split(/(\{\{?query\}?\}|\{\{?document\}?\})/)) {
      if (part.includes('{query}')) tokens.push(...query);
      else if (part.includes('{document}')) tokens.push(...document);
      else tokens.push(...(await vocabulary.tokenize(part, true)));
    }
    return tokens;
  }
}
