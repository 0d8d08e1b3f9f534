import type { GenerationRequest } from '../../engine/types.ts';

/** A chat template adds no more than this to a conversation without tools. */
const templateTokens = 512;
/** And this to each message. */
const tokensPerMessage = 16;

/** The most tokens, in and out, that a request can use: each token of a text has a byte or more of it. */
export function mostTokensOf(request: GenerationRequest, contextTokens: number): number {
  const { prompt, maxTokens, tools } = request;
  if (maxTokens === undefined || tools !== undefined) return contextTokens;
  return Math.min(contextTokens, mostPromptTokens(prompt, contextTokens) + maxTokens);
}

function mostPromptTokens(prompt: GenerationRequest['prompt'], contextTokens: number): number {
  if (prompt.kind === 'tokens') return prompt.tokens.length + Buffer.byteLength(prompt.suffix ?? '');
  if (prompt.kind === 'text') return Buffer.byteLength(prompt.text + (prompt.suffix ?? '')) + 1;
  let bytes = templateTokens;
  for (const { content, reasoning = '', attachments = [], toolCalls = [] } of prompt.messages) {
    if (attachments.length + toolCalls.length > 0) return contextTokens;
    bytes += Buffer.byteLength(content) + Buffer.byteLength(reasoning) + tokensPerMessage;
  }
  return bytes;
}
