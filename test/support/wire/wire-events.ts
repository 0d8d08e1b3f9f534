import { expect } from 'vitest';

export interface WireChunk extends Readonly<Record<string, unknown>> {
  readonly choices: readonly {
    readonly delta: Readonly<Record<string, unknown>>;
    readonly finish_reason: string | null;
    readonly logprobs: unknown;
  }[];
  readonly usage?: object | null;
}

/** The data of each event of a whole stream but the last `[DONE]`, which must be there. */
export function toChunks(text: string): WireChunk[] {
  const events = text.split('\n\n').filter((event) => event !== '' && !event.startsWith(':'));
  expect(events.pop()).toBe('data: [DONE]');
  return events.map((event) => JSON.parse(event.replace(/^data: /, '')) as WireChunk);
}

/** The delta of each chunk, in order. */
export function toDeltas(text: string): WireChunk['choices'][number]['delta'][] {
  return toChunks(text).flatMap(({ choices }) => choices.map(({ delta }) => delta));
}
