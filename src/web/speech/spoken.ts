import { signal } from '@preact/signals';
import { wavHeader } from '../../engine/audio/wav-header.ts';
import { messageOf } from '../state/polled.ts';
import { Player, sampleRateHz } from '../voice/reading/player.ts';
import { spoken, type Samples, type VoiceWish } from '../voice/reading/speaking.ts';

/** A sound that is or was made of a text. */
export interface Spoken {
  readonly id: number;
  readonly text: string;
  readonly wish: VoiceWish;
  /** How much of it there is. */
  readonly seconds: number;
  /** From asking to the first sound; undefined: there is none yet. */
  readonly firstMs?: number;
  readonly state: 'running' | 'ended';
  /** The sound, once it has ended. */
  readonly wav?: Blob;
  /** Why it did not go on. */
  readonly problem?: string;
}

/** So many stay to be compared; older ones give way. */
const mostKept = 10;

/** The newest first. They go on, and stay until the tab is closed, while the person looks at another view. */
export const spokenTexts = signal<readonly Spoken[]>([]);

let leaving: AbortController | undefined;
let player: Player | undefined;

/** Seconds of the sound that runs that have not been heard yet. */
export const secondsAhead = (): number => player?.secondsAhead ?? 0;

export const stopSpeaking = (): void => leaving?.abort();

export function removeSpoken(id: number): void {
  spokenTexts.value = spokenTexts.value.filter((one) => one.id !== id);
}

/** Plays `text` as it is made; resolves when it was heard. */
export async function speakText(text: string, wish: VoiceWish): Promise<void> {
  const own = new AbortController();
  leaving = own;
  const pieces: Samples[] = [];
  const heard = new Player();
  player = heard;
  own.signal.addEventListener('abort', () => heard.stop());
  const sentMs = performance.now();
  let now: Spoken = { id: sentMs, text, wish, seconds: 0, state: 'running' };
  spokenTexts.value = [now, ...spokenTexts.value].slice(0, mostKept);
  const show = (change: Partial<Spoken>) => {
    now = { ...now, ...change };
    spokenTexts.value = spokenTexts.value.map((one) => (one.id === now.id ? now : one));
  };
  try {
    for await (const samples of spoken(text, wish, own.signal)) {
      heard.play(samples, pieces.length === 0);
      pieces.push(samples);
      show({
        firstMs: now.firstMs ?? performance.now() - sentMs,
        seconds: now.seconds + samples.length / sampleRateHz,
      });
    }
    await heard.ended();
  } catch (error) {
    if (!own.signal.aborted) show({ problem: messageOf(error) });
  }
  show({ state: 'ended', ...(pieces.length > 0 && { wav: toWav(pieces) }) });
  // A text that was stopped before its first sound is not kept.
  if (pieces.length === 0 && now.problem === undefined) removeSpoken(now.id);
}

/** The sound as a WAV file. */
function toWav(pieces: readonly Samples[]): Blob {
  const dataBytes = pieces.reduce((sum, { byteLength }) => sum + byteLength, 0);
  return new Blob([wavHeader(sampleRateHz, dataBytes), ...pieces], { type: 'audio/wav' });
}
