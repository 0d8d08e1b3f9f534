import { useRef, useState } from 'preact/hooks';
import { useNow } from '../state/polled.ts';
import { t } from '../texts.ts';

/** Records the microphone; `onClip` gets each recording when it is stopped. */
export function useRecorder(onClip: (clip: Blob) => void) {
  const recorder = useRef<MediaRecorder>(undefined);
  const [recording, setRecording] = useState(false);
  const [problem, setProblem] = useState<string>();
  const beganMs = useRef(0);
  const seconds = Math.max(0, Math.round((useNow(1000, recording) - beganMs.current) / 1000));
  const start = async () => {
    setProblem(undefined);
    let stream: MediaStream;
    try {
      stream = await navigator.mediaDevices.getUserMedia({ audio: true });
    } catch {
      setProblem(t.chat.microphoneDenied);
      return;
    }
    const pieces: Blob[] = [];
    const running = new MediaRecorder(stream);
    recorder.current = running;
    running.addEventListener('dataavailable', ({ data }) => pieces.push(data));
    running.addEventListener('stop', () => {
      for (const track of stream.getTracks()) track.stop();
      setRecording(false);
      onClip(new Blob(pieces, { type: running.mimeType }));
    });
    running.start();
    beganMs.current = Date.now();
    setRecording(true);
  };
  return { recording, seconds, problem, toggle: () => (recording ? recorder.current?.stop() : void start()) };
}
