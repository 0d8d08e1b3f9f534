import type { Generation, GenerationEnd, GenerationEvent } from '../engine/types.ts';
import type { Meter } from './metering.ts';

export type OutputEvent = Exclude<GenerationEvent, { type: 'started' }>;
export type FinishedEnd = Extract<GenerationEnd, { outcome: 'finished' }>;

/**
 * How a generation ended that nobody streams, once it is charged; undefined: the client left. `take` gets each
 * output. Throws what made it fail.
 */
export async function readWhole(
  generation: Generation,
  meter: Meter,
  take: (event: OutputEvent) => void,
): Promise<FinishedEnd | undefined> {
  try {
    for await (const event of generation.events) {
      if (event.type === 'started') continue;
      meter.noteOutput();
      take(event);
    }
  } finally {
    // Charged before the answer is out: the client's next request finds its allowance as it is.
    await meter.settleAtEndOf(generation);
  }
  const end = await generation.ended;
  if (end.outcome === 'failed') throw end.error;
  return end.outcome === 'finished' ? end : undefined;
}

/** The rest of a generation that has started and is streamed from now on. */
export interface StartedGeneration {
  readonly events: AsyncIterator<GenerationEvent>;
  /** Resolves once the generation is charged. */
  readonly settled: Promise<GenerationEnd>;
}

/**
 * Waits for the start of a generation that is to be streamed, so that what fails until then has an ordinary status;
 * undefined: the client left. Throws what made it fail.
 */
export async function awaitStart(
  generation: Generation,
  meter: Meter,
): Promise<StartedGeneration | undefined> {
  const events = generation.events[Symbol.asyncIterator]();
  try {
    const started = await events.next();
    if (started.done === true) {
      await meter.settleAtEndOf(generation);
      return undefined;
    }
  } catch (error) {
    await meter.settleAtEndOf(generation);
    throw error;
  }
  meter.noteStreamBegins();
  return { events, settled: meter.settleAtEndOf(generation) };
}
