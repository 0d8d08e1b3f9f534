import { can } from '../../model-kinds.ts';
import type { IncomingMessage } from 'node:http';
import type { ErrorBody } from '../../errors/errors.ts';
import type { FinishReason } from '../../engine/types.ts';
import { toAppError, type ListedModel, type ServerConnection } from '../server-connection.ts';
import type { AnswerEvent, ChatBackend, ChatModel, ChatQuestion } from './backend.ts';

/** What is read of a chunk of a streamed chat completion, and of the event that ends a stream which failed. */
interface Chunk {
  readonly choices?: readonly {
    readonly delta: { readonly content?: string | null; readonly reasoning_content?: string };
    readonly finish_reason: FinishReason | null;
  }[];
  readonly error?: ErrorBody['error'];
}

const dataPrefix = 'data: ';

/** Answers come from the running server, so that each model is in memory only once. */
export class ServerBackend implements ChatBackend {
  readonly place: string;
  readonly #connection: ServerConnection;

  constructor(connection: ServerConnection) {
    this.#connection = connection;
    this.place = `the server at ${connection.baseUrl}`;
  }

  async models(): Promise<readonly ChatModel[]> {
    return (await this.#connection.models()).filter((model) => can(model, 'generate')).map(toChatModel);
  }

  async *answer(question: ChatQuestion, signal: AbortSignal): AsyncGenerator<AnswerEvent> {
    const response = await this.#connection.send('/chat/completions', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ ...question, stream: true }),
      signal,
    });
    for await (const data of this.#dataOf(response, signal)) {
      const { choices, error } = JSON.parse(data) as Chunk;
      if (error !== undefined) throw toAppError(error);
      for (const { delta, finish_reason: finishReason } of choices ?? []) {
        if (delta.reasoning_content) yield { type: 'thought', text: delta.reasoning_content };
        if (delta.content) yield { type: 'text', text: delta.content };
        if (finishReason !== null) yield { type: 'end', finishReason };
      }
    }
  }

  async close(): Promise<void> {
    this.#connection.close();
  }

  /** The data of each event; throws where the stream ends without its last one. */
  async *#dataOf(response: IncomingMessage, signal: AbortSignal): AsyncGenerator<string> {
    let rest = '';
    try {
      for await (const text of response.setEncoding('utf8') as AsyncIterable<string>) {
        const lines = (rest + text).split('\n');
        rest = lines.pop() ?? '';
        for (const line of lines) {
          if (!line.startsWith(dataPrefix)) continue;
          const data = line.slice(dataPrefix.length);
          if (data === '[DONE]') return;
          yield data;
        }
      }
    } catch (cause) {
      throw signal.aborted ? cause : this.#connection.gone(cause);
    } finally {
      response.destroy();
    }
    throw this.#connection.gone();
  }
}

export function toChatModel({ id, aliases, state }: ListedModel): ChatModel {
  return { id, aliases, isLoaded: state === 'loaded' };
}
