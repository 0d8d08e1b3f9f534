import type { RefObject } from 'preact';
import { useRef, useState } from 'preact/hooks';
import { t } from '../../words/dialog-texts.ts';
import { toMinutes } from '../../words/times.ts';
import { IconButton } from '../controls.tsx';
import './slider.css';

/** Later than the end of any sound: to be sent there makes browsers find out how long a recording is. */
const farSeconds = 1e7;

interface Props {
  /** undefined while it is read. */
  readonly url: string | undefined;
  readonly name: string;
  /** For who plays it from elsewhere, too. */
  readonly audio?: RefObject<HTMLAudioElement | null>;
  /** undefined: nothing of it was heard yet. */
  readonly onTime?: (seconds: number | undefined) => void;
}

/** A sound to be heard: it is played, and gone to any place of. */
export function Sound({ url, name, audio, onTime }: Props) {
  const own = useRef<HTMLAudioElement>(null);
  const player = audio ?? own;
  const [isPlaying, setPlaying] = useState(false);
  const [at, setAt] = useState(0);
  const [length, setLength] = useState(0);
  const measure = (element: HTMLAudioElement) => {
    if (element.duration === Infinity) element.currentTime = farSeconds;
    else {
      if (length === 0 && element.paused) element.currentTime = 0;
      setLength(element.duration || 0);
    }
  };
  const tell = ({ currentTime, duration, paused }: HTMLAudioElement) => {
    if (duration === Infinity) return;
    setAt(currentTime);
    onTime?.(paused && currentTime === 0 ? undefined : currentTime);
  };
  const toggle = () => {
    if (isPlaying) player.current?.pause();
    else void player.current?.play().catch(() => undefined);
  };
  const position = `${toMinutes(at)} / ${toMinutes(length)}`;
  return (
    // The line of a short sound is short.
    <div class="sound" role="group" aria-label={name} style={{ maxWidth: `${16 + length}rem` }}>
      <audio
        ref={player}
        src={url}
        onDurationChange={({ currentTarget }) => measure(currentTarget)}
        onTimeUpdate={({ currentTarget }) => tell(currentTarget)}
        onPlay={() => setPlaying(true)}
        onPause={() => setPlaying(false)}
      />
      <IconButton
        icon={isPlaying ? 'pause' : 'play'}
        label={isPlaying ? t.sound.pause : t.sound.play}
        onClick={toggle}
      />
      <input
        type="range"
        class="slider"
        aria-label={t.sound.position}
        aria-valuetext={position}
        max={length}
        // A press of an arrow key goes as far.
        step={Math.max(0.1, length / 100)}
        value={at}
        style={{ '--share': length > 0 ? at / length : 0 }}
        onInput={({ currentTarget }) => {
          if (player.current !== null) player.current.currentTime = Number(currentTarget.value);
        }}
      />
      <span class="figures">{position}</span>
    </div>
  );
}
