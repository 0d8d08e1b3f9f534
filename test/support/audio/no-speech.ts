import { sampleRateHz } from '../../../src/engine/speech/transcription-types.ts';

const lengthSamples = 3 * sampleRateHz;

/** 3 s of sounds in which nobody speaks, at 16 kHz, -1..1; the same on every machine. */
export const soundsWithoutSpeech: Readonly<Record<string, Float32Array>> = {
  'white noise': noise(0.3),
  'faint white noise': noise(0.02),
  'a tone': sound((seconds) => 0.3 * sine(440, seconds)),
  'a chord': sound((seconds) => chord([262, 330, 392], seconds)),
  'chords one after the other': sound((seconds) => {
    const lowest = [220, 262, 294][Math.floor(seconds) % 3] ?? 0;
    return chord([lowest, lowest * 1.25, lowest * 1.5], seconds) * Math.exp(-2 * (seconds % 1));
  }),
  'a melody': sound((seconds) => {
    const pitch = [262, 294, 330, 349, 392, 440][Math.floor(seconds / 0.3) % 6] ?? 0;
    return 0.3 * sine(pitch, seconds) * Math.exp(-4 * (seconds % 0.3));
  }),
  'the hum of the mains': sound((seconds) => chord([50, 100, 150, 250], seconds)),
  clicks: sound((seconds) => 0.5 * sine(1000, seconds) * Math.exp(-300 * (seconds % 0.4))),
};

function sound(at: (seconds: number) => number): Float32Array {
  return Float32Array.from({ length: lengthSamples }, (_, index) => at(index / sampleRateHz));
}

function noise(loudness: number): Float32Array {
  let random = 1;
  return sound(() => {
    random = (random * 48_271) % (2 ** 31 - 1);
    return loudness * (random / 2 ** 30 - 1);
  });
}

function sine(pitch: number, seconds: number): number {
  return Math.sin(2 * Math.PI * pitch * seconds);
}

function chord(pitches: readonly number[], seconds: number): number {
  return pitches.reduce((sum, pitch) => sum + 0.15 * sine(pitch, seconds), 0);
}
