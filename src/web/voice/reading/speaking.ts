import { eventsOf } from '../../api/request.ts';
import type { SpeechEvent } from '../../api/types.ts';
import { afterMs } from '../../state/after-ms.ts';
import { asUser } from '../../state/session.ts';
import { Player } from './player.ts';

/** Who speaks, and how. */
export interface VoiceWish {
  readonly model: string;
  /** undefined: the server takes the first one, or the model's own. */
  readonly voice?: string | undefined;
  /** undefined: as the model speaks. */
  readonly speed?: number | undefined;
}

/** Of 16 bits. */
export type Samples = Int16Array<ArrayBuffer>;

/** The sound of `text` as it is made, in pieces of 24,000 samples a second. Throws ApiError. */
export async function* spoken(text: string, wish: VoiceWish, signal: AbortSignal): AsyncGenerator<Samples> {
  const response = await asUser('audio/speech', {
    method: 'POST',
    body: { ...wish, input: text, response_format: 'pcm', stream_format: 'sse' },
    accept: 'text/event-stream',
    signal,
  });
  for await (const event of eventsOf<SpeechEvent>(response)) {
    if (event.type === 'speech.audio.delta') yield toSamples(event.audio);
  }
}

function toSamples(base64: string): Samples {
  const bytes = Uint8Array.from(atob(base64), (char) => char.charCodeAt(0));
  return new Int16Array(bytes.buffer, 0, bytes.length >> 1);
}

/** Seconds of sound that are made before they are needed. More would be for nothing when the person stops it. */
const mostAhead = 15;
const lookAgainMs = 100;

/**
 * Speaks `texts` one after the other; at most two are asked for at once. Resolves when all was heard, also once
 * `signal` is aborted; rejects with ApiError. `onSound`: the first sound comes now.
 */
export async function speak(
  texts: AsyncIterable<string>,
  wish: VoiceWish,
  signal: AbortSignal,
  onSound: () => void,
): Promise<void> {
  const player = new Player();
  const stop = () => player.stop();
  signal.addEventListener('abort', stop);
  let before: Promise<void> = Promise.resolve();
  try {
    for await (const text of texts) {
      const pieces = spoken(text, wish, signal);
      // It is asked for while the one before it still comes.
      const first = pieces.next();
      first.catch(() => undefined);
      await before;
      before = play(first, pieces);
      before.catch(() => undefined);
      while (player.secondsAhead > mostAhead && !signal.aborted) await afterMs(lookAgainMs);
    }
    await before;
    await player.ended();
  } catch (error) {
    if (!signal.aborted) throw error;
  } finally {
    signal.removeEventListener('abort', stop);
  }

  async function play(
    first: Promise<IteratorResult<Samples, void>>,
    rest: AsyncGenerator<Samples>,
  ): Promise<void> {
    let begins = true;
    for (let piece = await first; piece.done !== true; piece = await rest.next()) {
      if (signal.aborted) return;
      player.play(piece.value, begins);
      begins = false;
      onSound();
    }
  }
}
