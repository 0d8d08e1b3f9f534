/** Least root mean square of samples in -1..1 that may be speech. */
const leastLevel = 0.012;
/** Speech is this many times as loud as the noise of the room. */
const aboveNoise = 3;
/** What is shorter is a cough, or a key that is pressed. */
const leastSpeechMs = 250;
/** Silence after which somebody has said what they wanted to. */
const endSilenceMs = 1200;

/** Levels by which the noise is known: of the last three seconds, in which who speaks has paused for breath. */
const noiseLevels = 60;

/** Tells by the level of the sound when somebody has spoken and is done. */
export class SpeechEnd {
  readonly #recent: number[] = [];
  #spokenMs = 0;
  #silentMs = 0;

  get hasBegun(): boolean {
    return this.#spokenMs >= leastSpeechMs;
  }

  /** Takes the level of the next `ms`, about 50; true: speech has ended. */
  take(level: number, ms: number): boolean {
    this.#recent.push(level);
    if (this.#recent.length > noiseLevels) this.#recent.shift();
    const isSpeech = level > Math.max(leastLevel, Math.min(...this.#recent) * aboveNoise);
    if (isSpeech) {
      this.#spokenMs += ms;
      this.#silentMs = 0;
    } else this.#silentMs += ms;
    const isOver = this.#silentMs >= endSilenceMs;
    if (isOver && !this.hasBegun) this.#spokenMs = 0;
    return isOver && this.hasBegun;
  }
}

const everyMs = 50;
/** A recording in which nobody speaks is begun anew, because the silence would be sent too. */
const mostSilenceMs = 10_000;
/** What somebody says without a pause is taken so far. */
const mostSpeechMs = 60_000;

/** The next thing that is said, recorded up to the silence after it. `onLevel` gets how loud it is, 0..1. */
export async function listen(
  microphone: MediaStream,
  signal: AbortSignal,
  onLevel: (level: number) => void,
): Promise<Blob> {
  const context = new AudioContext();
  const analyser = new AnalyserNode(context, { fftSize: 2048 });
  context.createMediaStreamSource(microphone).connect(analyser);
  const samples = new Float32Array(analyser.fftSize);
  const level = () => {
    analyser.getFloatTimeDomainData(samples);
    return Math.sqrt(samples.reduce((sum, sample) => sum + sample * sample, 0) / samples.length);
  };
  try {
    for (;;) {
      const clip = await record(microphone, signal, () => {
        const now = level();
        onLevel(Math.min(1, now * 8));
        return now;
      });
      signal.throwIfAborted();
      if (clip !== undefined) return clip;
    }
  } finally {
    void context.close();
  }
}

/** undefined: nobody spoke. */
async function record(
  microphone: MediaStream,
  signal: AbortSignal,
  level: () => number,
): Promise<Blob | undefined> {
  const pieces: Blob[] = [];
  const recorder = new MediaRecorder(microphone);
  recorder.addEventListener('dataavailable', ({ data }) => pieces.push(data));
  const stopped = new Promise((resolve) => recorder.addEventListener('stop', resolve));
  recorder.start();
  const end = new SpeechEnd();
  const beganMs = performance.now();
  let lastMs = beganMs;
  const timer = setInterval(() => {
    const nowMs = performance.now();
    const isOver = end.take(level(), nowMs - lastMs);
    lastMs = nowMs;
    const most = end.hasBegun ? mostSpeechMs : mostSilenceMs;
    if (isOver || signal.aborted || nowMs - beganMs > most) recorder.stop();
  }, everyMs);
  await stopped;
  clearInterval(timer);
  return end.hasBegun ? new Blob(pieces, { type: recorder.mimeType }) : undefined;
}
