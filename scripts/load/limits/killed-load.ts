import type { RunningServer } from '../../../test/support/server/start-server.ts';
import { ask, type Outcome, type Question } from './ask.ts';
import type { LoadKey } from './limited-server.ts';

/** So large that the load never reaches them. */
export const auditableLimits = {
  requests: { day: 100_000, '30d': 1_000_000 },
  inputTokens: { day: 1_000_000 },
  outputTokens: { '30d': 3_000_000 },
};

export interface KilledLoad {
  readonly clients: number;
  /** Requests before the load counts as begun. */
  readonly warmUp: number;
  /** Called when the load has begun; the server is killed when this ends. */
  readonly meanwhile: () => Promise<unknown>;
}

/** Puts load on a server until it is killed in the middle of it; `note` gets the outcome of each request. */
export async function loadUntilKilled(
  server: RunningServer,
  { secret }: Pick<LoadKey, 'secret'>,
  { clients, warmUp, meanwhile }: KilledLoad,
  note: (outcome: Outcome) => void,
): Promise<void> {
  const target = { baseUrl: server.baseUrl, secret };
  let isDead = false;
  let index = 0;
  const client = async (until: () => boolean): Promise<void> => {
    while (!until()) note(await ask(target, questionAt(index++)));
  };
  const all = (until: () => boolean) => Promise.all(Array.from({ length: clients }, () => client(until)));
  await all(() => index >= warmUp);
  // Loading the model is no load.
  note(await ask(target, questionAt(index++)));
  const load = all(() => isDead);
  try {
    await meanwhile();
  } finally {
    const dying = server.kill();
    isDead = true;
    await Promise.all([load, dying]);
  }
}

/** Requests that can be told apart by their tokens, half of them streamed. */
function questionAt(index: number): Question {
  return { words: 1 + (index % 29), maxTokens: 1 + (index % 7), stream: index % 2 === 0 };
}
