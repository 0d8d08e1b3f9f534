import { t } from '../words/operator-texts.ts';
import { IconButton, Problem } from '../ui/controls.tsx';
import { useObjectUrl } from '../ui/media/picture.tsx';
import { saveFile } from '../ui/save-file.ts';
import { Sound } from '../ui/media/sound.tsx';
import { toMinutes } from '../words/times.ts';
import { joined, toWait } from '../words/formats.ts';
import { useNow } from '../state/polled.ts';
import { removeSpoken, secondsAhead, type Spoken } from './spoken.ts';

/** A text that was spoken: its words, its sound, and how it was made. */
export function SpokenView({ one }: { one: Spoken }) {
  const { id, text, wish, seconds, firstMs, state, problem, wav } = one;
  const isRunning = state === 'running';
  const name = text.slice(0, nameCharacters);
  const made = firstMs === undefined ? undefined : t.speech.made(seconds, toWait(firstMs));
  return (
    <li class="card spoken">
      <p dir="auto">{text}</p>
      <Problem text={problem} />
      <div class="actions">
        {isRunning && <Running seconds={seconds} />}
        {wav && <MadeSound wav={wav} name={name} />}
        {isRunning || (
          <IconButton icon="trash" label={`${t.chat.remove}: ${name}`} onClick={() => removeSpoken(id)} />
        )}
        <small role="status">
          {!isRunning && joined(wish.voice, wish.speed !== undefined && `${wish.speed} ×`, made)}
        </small>
      </div>
    </li>
  );
}

const nameCharacters = 40;

/** It can be heard again and saved. */
function MadeSound({ wav, name }: { wav: Blob; name: string }) {
  return (
    <>
      <Sound url={useObjectUrl(wav)} name={name} />
      <IconButton icon="save" label={t.speech.saveWav} onClick={() => saveFile('speech.wav', wav)} />
    </>
  );
}

/** How much of the sound there is was heard. `seconds`: as many there are. */
function Running({ seconds }: { seconds: number }) {
  useNow(250);
  const heard = Math.max(0, seconds - secondsAhead());
  return (
    <div class="sound">
      <span class="note pulse" role="status">
        {seconds === 0 ? t.speech.making : t.speech.speaking(toMinutes(heard))}
      </span>
      <progress aria-hidden="true" max={1} value={seconds === 0 ? 0 : heard / seconds} />
    </div>
  );
}
