import { openMeter } from './meter.ts';
import { SpeechEnd } from './speech-end.ts';

const everyMs = 50;
/** A recording in which nobody speaks is begun anew, because the silence would be sent too. */
const mostSilenceMs = 10_000;
/** Longest speech without a pause: the recording ends there. */
const mostSpeechMs = 60_000;

/** The next thing that is said, recorded up to the silence after it. */
export async function listen(microphone: MediaStream, signal: AbortSignal): Promise<Blob> {
  const meter = openMeter(microphone);
  try {
    for (;;) {
      const clip = await record(microphone, signal, () => meter.level());
      signal.throwIfAborted();
      if (clip !== undefined) return clip;
    }
  } finally {
    meter.close();
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
