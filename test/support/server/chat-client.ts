import OpenAI from 'openai';
import type {
  ChatCompletion,
  ChatCompletionChunk,
  ChatCompletionCreateParamsNonStreaming,
  ChatCompletionMessageParam,
} from 'openai/resources/chat/completions';
import type { RunningServer } from './start-server.ts';

/** The official client, without its retries: a test wants to see the first answer. */
export function openClient(server: Pick<RunningServer, 'baseUrl' | 'apiKey'>): OpenAI {
  return new OpenAI({ baseURL: server.baseUrl, apiKey: server.apiKey, maxRetries: 0 });
}

/** Parameters of a chat completion, with those that the official client has no types for. */
export type ChatOptions = Partial<
  Omit<ChatCompletionCreateParamsNonStreaming, 'model' | 'stream' | 'stream_options' | 'messages'>
> & {
  readonly min_tokens?: number;
  readonly ignore_eos?: boolean;
  readonly top_k?: number;
  readonly min_p?: number;
  readonly stream_options?: { readonly include_usage: boolean; readonly continuous_usage_stats?: boolean };
};

/** One user message in short, or a whole conversation. */
export type Conversation = string | ChatCompletionMessageParam[];

/** A chat completion in one piece. */
export async function completeChat(
  client: OpenAI,
  model: string,
  conversation: Conversation,
  options: ChatOptions = {},
): Promise<ChatCompletion> {
  return client.chat.completions.create({ ...options, model, messages: toMessages(conversation) });
}

export interface StreamedChat {
  readonly chunks: readonly ChatCompletionChunk[];
  /** The non-empty pieces of text. */
  readonly pieces: readonly string[];
  readonly text: string;
  readonly finishReason: string | null;
}

/** A streamed chat completion, read to its end. */
export async function streamChat(
  client: OpenAI,
  model: string,
  conversation: Conversation,
  options: ChatOptions = {},
): Promise<StreamedChat> {
  const stream = await client.chat.completions.create({
    ...options,
    model,
    messages: toMessages(conversation),
    stream: true,
  });
  const chunks: ChatCompletionChunk[] = [];
  for await (const chunk of stream) chunks.push(chunk);
  const pieces = chunks.map((chunk) => chunk.choices[0]?.delta.content ?? '').filter((piece) => piece !== '');
  const finishReason = chunks
    .map((chunk) => chunk.choices[0]?.finish_reason ?? null)
    .find((reason) => reason !== null);
  return { chunks, pieces, text: pieces.join(''), finishReason: finishReason ?? null };
}

/** The tokens that had been computed by each chunk. */
export const tokensByChunk = ({ chunks }: StreamedChat): readonly number[] =>
  chunks.map(({ usage }) => usage?.completion_tokens ?? Number.NaN);

/** The text of a completion's only choice. */
export function textOf(completion: ChatCompletion): string {
  return completion.choices[0]?.message.content ?? '';
}

export interface ErrorAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly error: {
    readonly message: string;
    readonly type: string;
    readonly param: string | null;
    readonly code: string;
  };
}

/** A plain POST of any body to the chat route, for bodies that the official client would not send. */
export function postChat(
  server: Pick<RunningServer, 'baseUrl' | 'apiKey'>,
  body: unknown,
  init: RequestInit = {},
): Promise<Response> {
  return post(server, 'chat/completions', body, init);
}

/** The same to the route of plain prompts. */
export function postCompletion(
  server: Pick<RunningServer, 'baseUrl' | 'apiKey'>,
  body: unknown,
): Promise<Response> {
  return post(server, 'completions', body);
}

function post(
  server: Pick<RunningServer, 'baseUrl' | 'apiKey'>,
  route: string,
  body: unknown,
  init: RequestInit = {},
): Promise<Response> {
  return fetch(`${server.baseUrl}/${route}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${server.apiKey}` },
    body: typeof body === 'string' ? body : JSON.stringify(body),
    ...init,
  });
}

/** Status, headers and envelope of an answer that should be an error. */
export async function toErrorAnswer(response: Response): Promise<ErrorAnswer> {
  const { error } = (await response.json()) as Pick<ErrorAnswer, 'error'>;
  return { status: response.status, headers: response.headers, error };
}

function toMessages(conversation: Conversation): ChatCompletionMessageParam[] {
  return typeof conversation === 'string' ? [{ role: 'user', content: conversation }] : conversation;
}
