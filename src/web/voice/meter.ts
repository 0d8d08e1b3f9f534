/** Tells how loud it is at a microphone. */
export interface Meter {
  /** As the root mean square of samples in -1..1. */
  level(): number;
  close(): void;
}

export function openMeter(microphone: MediaStream): Meter {
  const context = new AudioContext();
  const analyser = new AnalyserNode(context, { fftSize: 2048 });
  context.createMediaStreamSource(microphone).connect(analyser);
  const samples = new Float32Array(analyser.fftSize);
  return {
    level() {
      analyser.getFloatTimeDomainData(samples);
      return Math.sqrt(samples.reduce((sum, sample) => sum + sample * sample, 0) / samples.length);
    },
    close: () => void context.close(),
  };
}

/** A level as people hear it, 0..1: speech beside the microphone is about 1. */
export const toLoudness = (level: number): number => Math.min(1, level * 8);
