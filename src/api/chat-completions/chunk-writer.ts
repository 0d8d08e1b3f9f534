import type { FinishReason } from '../../engine/types.ts';
import { dataEvent } from '../generation/sse.ts';
import { toWireCall, toWireReasoning } from './convert-answer.ts';
import type { CompletionIdentity } from '../generation/completion-identity.ts';

/** The chunks of one completion as server-sent events. */
export interface ChunkWriter {
  role(): string;
  /** `logprobs` is JSON. */
  text(text: string, logprobs: string): string;
  reasoning(text: string): string;
  /** The beginning of a call, its arguments to come. */
  call(index: number, id: string, name: string): string;
  callArguments(index: number, text: string): string;
  finish(reason: FinishReason): string;
  /** `usage` is JSON. */
  usage(usage: string): string;
}

/** Builds the chunks of one completion; what is the same in all of them is serialised once. */
export function createChunkWriter(identity: CompletionIdentity, includeUsage: boolean): ChunkWriter {
  const head = JSON.stringify({
    id: identity.id,
    object: 'chat.completion.chunk',
    created: identity.createdSeconds,
    model: identity.model,
    system_fingerprint: identity.systemFingerprint,
  }).slice(0, -1);
  const tail = includeUsage ? ',"usage":null}' : '}';
  const start = `${head},"choices":[{"index":0,"delta":`;
  const choice = (delta: object, logprobs = 'null', finishReason = 'null'): string =>
    dataEvent(
      `${start}${JSON.stringify(delta)},"logprobs":${logprobs},"finish_reason":${finishReason}}]${tail}`,
    );
  return {
    role: () => choice({ role: 'assistant', content: '' }),
    text: (content, logprobs) => choice({ content }, logprobs),
    reasoning: (text) => choice(toWireReasoning(text)),
    call: (index, id, name) =>
      choice({ tool_calls: [{ index, ...toWireCall({ id, name, arguments: '' }) }] }),
    callArguments: (index, text) => choice({ tool_calls: [{ index, function: { arguments: text } }] }),
    finish: (reason) => choice({}, 'null', `"${reason}"`),
    usage: (usage) => dataEvent(`${head},"choices":[],"usage":${usage}}`),
  };
}
