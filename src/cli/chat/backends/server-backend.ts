import { can } from '../../../model-kinds.ts';
import type { IncomingMessage } from 'node:http';
import { createParser } from 'eventsource-parser';
import type { ErrorBody } from '../../../errors/errors.ts';
import type { FinishReason } from '../../../engine/generation/generation.ts';
import { toWireMessage } from '../wire-message.ts';
import { toAppError, type ServerConnection } from '../../server-connection.ts';
import type { PromptProgress } from '../../../timing/prompt-clock.ts';
import type { AnswerEvent, ChatBackend, ChatQuestion } from './backend.ts';

/** The fields read of a chunk of a streamed chat completion, and of the event that ends a stream which failed. */
interface Chunk {
  readonly choices?: readonly {
    readonly delta: { readonly content?: string | null; readonly reasoning_content?: string };
    readonly finish_reason: FinishReason | null;
  }[];
  readonly prompt_progress?: PromptProgress;
  readonly error?: ErrorBody['error'];
}

/** Answers come from the running server, so that each model is in memory only once. */
export function serverBackend(connection: ServerConnection): ChatBackend {
  return {
    place: `the server at ${connection.baseUrl}`,
    async models() {
      const models = (await connection.models()).filter((model) => can(model, 'generate'));
      return models.map(({ id, aliases, state }) => ({ id, aliases, isLoaded: state === 'loaded' }));
    },
    answer: (question, signal) => readAnswer(connection, question, signal),
    close: async () => connection.close(),
  };
}

async function* readAnswer(
  connection: ServerConnection,
  question: ChatQuestion,
  signal: AbortSignal,
): AsyncGenerator<AnswerEvent> {
  const response = await connection.send('/chat/completions', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      ...question,
      messages: question.messages.map(toWireMessage),
      stream: true,
      return_progress: true,
    }),
    signal,
  });
  for await (const data of dataOf(response, connection, signal)) {
    const { choices, error, prompt_progress: progress } = JSON.parse(data) as Chunk;
    if (error !== undefined) throw toAppError(error);
    if (progress !== undefined) yield { type: 'progress', progress };
    for (const { delta, finish_reason: finishReason } of choices ?? []) {
      if (delta.reasoning_content) yield { type: 'thought', text: delta.reasoning_content };
      if (delta.content) yield { type: 'text', text: delta.content };
      if (finishReason !== null) yield { type: 'end', finishReason };
    }
  }
}

/** The data of each event; throws where the stream ends without its last one. */
async function* dataOf(
  response: IncomingMessage,
  connection: ServerConnection,
  signal: AbortSignal,
): AsyncGenerator<string> {
  const arrived: string[] = [];
  const parser = createParser({ onEvent: ({ data }) => void arrived.push(data) });
  try {
    for await (const text of response.setEncoding('utf8') as AsyncIterable<string>) {
      parser.feed(text);
      for (const data of arrived.splice(0)) {
        if (data === '[DONE]') return;
        yield data;
      }
    }
  } catch (cause) {
    throw signal.aborted ? cause : connection.gone(cause);
  } finally {
    response.destroy();
  }
  throw connection.gone();
}
