import { useEffect, useRef, useState } from 'preact/hooks';
import { useSeconds } from '../../state/polled.ts';
import { voiceTexts } from '../../voice/texts.ts';
import { openMeter, toLoudness } from '../../voice/meter.ts';
import { toMinutes } from '../../words/times.ts';
import './recorder.css';

/** Records the microphone; `onClip` gets each recording when it is stopped and not discarded. */
export function useRecorder(onClip: (clip: Blob) => void) {
  const recorder = useRef<MediaRecorder>(undefined);
  /** The microphone that is recorded now. */
  const [microphone, setMicrophone] = useState<MediaStream>();
  const [problem, setProblem] = useState<string>();
  const start = async () => {
    setProblem(undefined);
    let stream: MediaStream;
    try {
      stream = await navigator.mediaDevices.getUserMedia({ audio: true });
    } catch {
      setProblem(voiceTexts.microphoneDenied);
      return;
    }
    const pieces: Blob[] = [];
    const running = new MediaRecorder(stream);
    recorder.current = running;
    running.addEventListener('dataavailable', ({ data }) => pieces.push(data));
    running.addEventListener('stop', () => {
      for (const track of stream.getTracks()) track.stop();
      setMicrophone(undefined);
      if (recorder.current === running) onClip(new Blob(pieces, { type: running.mimeType }));
    });
    running.start();
    setMicrophone(stream);
  };
  const toggle = () => (microphone === undefined ? void start() : recorder.current?.stop());
  const discard = () => {
    const running = recorder.current;
    recorder.current = undefined;
    running?.stop();
  };
  return { microphone, problem, toggle, discard };
}

const everyMs = 100;
const shownLevels = 32;

/** How loud the last seconds of a recording were, and how long it has been: a microphone that is off is a flat line. */
export function Heard({ microphone }: { microphone: MediaStream }) {
  const seconds = useSeconds();
  const [levels, setLevels] = useState<readonly number[]>(Array.from({ length: shownLevels }, () => 0));
  useEffect(() => {
    const meter = openMeter(microphone);
    const timer = setInterval(
      () => setLevels((old) => [...old.slice(1), toLoudness(meter.level())]),
      everyMs,
    );
    return () => {
      clearInterval(timer);
      meter.close();
    };
  }, [microphone]);
  return (
    <span class="heard">
      <span class="levels" aria-hidden="true">
        {levels.map((level, index) => (
          <i key={index} style={{ height: `${Math.max(8, level * 100)}%` }} />
        ))}
      </span>
      <span class="figures" role="timer">
        {toMinutes(seconds)}
      </span>
    </span>
  );
}
