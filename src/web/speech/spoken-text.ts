import { signal } from '@preact/signals';
import { messageOf } from '../state/polled.ts';
import { Player, sampleRateHz } from '../voice/reading/player.ts';
import { spoken, type Samples, type VoiceWish } from '../voice/reading/speaking.ts';

/** The sound that is or was made of the last text. */
interface Made {
  readonly seconds: number;
  /** From asking to the first sound; undefined: there is none yet. */
  readonly firstMs?: number;
  readonly state: 'running' | 'ended';
  /** Why it did not go on. */
  readonly problem?: string;
}

/** It goes on, and stays, while the person looks at another view. */
export const made = signal<Made | undefined>(undefined);

let pieces: Samples[] = [];
let leaving: AbortController | undefined;

export const stopSpeaking = (): void => leaving?.abort();

/** Plays `text` as it is made; resolves when it was heard. */
export async function speakText(text: string, wish: VoiceWish): Promise<void> {
  const own = new AbortController();
  leaving = own;
  pieces = [];
  const player = new Player();
  own.signal.addEventListener('abort', () => player.stop());
  const sentMs = performance.now();
  let now: Made = { seconds: 0, state: 'running' };
  const show = (change: Partial<Made>) => {
    now = { ...now, ...change };
    made.value = now;
  };
  show({});
  try {
    for await (const samples of spoken(text, wish, own.signal)) {
      player.play(samples, pieces.length === 0);
      pieces.push(samples);
      show({
        firstMs: now.firstMs ?? performance.now() - sentMs,
        seconds: now.seconds + samples.length / sampleRateHz,
      });
    }
    await player.ended();
  } catch (error) {
    if (!own.signal.aborted) show({ problem: messageOf(error) });
  }
  show({ state: 'ended' });
}

const headerBytes = 44;
const encoder = new TextEncoder();

/** The sound as a WAV file: mono, 16 bits. */
export function toWav(): Blob {
  const dataBytes = 2 * pieces.reduce((count, { length }) => count + length, 0);
  const header = new DataView(new ArrayBuffer(headerBytes));
  const write = (at: number, word: string) => new Uint8Array(header.buffer).set(encoder.encode(word), at);
  write(0, 'RIFF');
  header.setUint32(4, headerBytes - 8 + dataBytes, true);
  write(8, 'WAVEfmt ');
  header.setUint32(16, 16, true);
  header.setUint16(20, 1, true);
  header.setUint16(22, 1, true);
  header.setUint32(24, sampleRateHz, true);
  header.setUint32(28, 2 * sampleRateHz, true);
  header.setUint16(32, 2, true);
  header.setUint16(34, 16, true);
  write(36, 'data');
  header.setUint32(40, dataBytes, true);
  return new Blob([header, ...pieces], { type: 'audio/wav' });
}
