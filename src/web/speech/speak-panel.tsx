import { useState } from 'preact/hooks';
import { wavHeader } from '../../engine/audio/wav-header.ts';
import { t } from '../words/operator-texts.ts';
import { voiceModels } from '../state/models.ts';
import { Button, Problem } from '../ui/controls.tsx';
import { ChoiceField, Form } from '../ui/forms/fields.tsx';
import { useObjectUrl } from '../ui/media/picture.tsx';
import { saveFile } from '../ui/save-file.ts';
import { Sound } from '../ui/media/sound.tsx';
import { VoiceChoice, VoiceModelChoice } from '../voice/voice-choice.tsx';
import { signal } from '@preact/signals';
import { toMinutes } from '../words/times.ts';
import { toWait } from '../words/formats.ts';
import { messageOf, useNow } from '../state/polled.ts';
import { Player, sampleRateHz } from '../voice/reading/player.ts';
import { spoken, type Samples, type VoiceWish } from '../voice/reading/speaking.ts';

/** In characters, as the server has it. */
const mostCharacters = 4096;
const speeds = ['0.5', '0.75', '1', '1.25', '1.5', '2'];

/** It stays while the person looks at another view. */
const typed = signal('');

/** A text, as speech: it is played as it is made, and can be saved. */
export function SpeakPanel() {
  const text = typed.value;
  const [chosen, setChosen] = useState<string>();
  const [voice, setVoice] = useState<string>();
  const [speed, setSpeed] = useState('1');
  const model = voiceModels.value.find(({ id }) => id === chosen) ?? voiceModels.value[0];
  const isRunning = made.value?.state === 'running';
  if (model === undefined) return null;
  return (
    <Form
      class="card speak"
      onSend={() => {
        if (isRunning) stopSpeaking();
        else if (text.trim() !== '')
          void speakText(text, { model: model.id, voice, ...(speed !== '1' && { speed: Number(speed) }) });
      }}
    >
      <h2>{t.speech.speakTitle}</h2>
      <textarea
        aria-label={t.speech.speakText}
        placeholder={t.speech.speakText}
        rows={4}
        dir="auto"
        maxlength={mostCharacters}
        value={text}
        onInput={({ currentTarget }) => (typed.value = currentTarget.value)}
      />
      <div class="speech-tools">
        <VoiceModelChoice value={model.id} onChange={setChosen} />
        <VoiceChoice value={voice} onChange={setVoice} />
        <ChoiceField
          label={t.speech.speed}
          value={speed}
          onChange={setSpeed}
          options={speeds.map((one) => [one, `${one} ×`])}
        />
        <span class="spacer" />
        <Button
          type="submit"
          class="primary"
          disabled={!isRunning && text.trim() === ''}
          icon={isRunning ? 'stop' : 'sound'}
          text={isRunning ? t.speech.stopSpeaking : t.speech.speak}
        />
      </div>
      <Outcome />
    </Form>
  );
}

/** How much sound there is, and how long the first of it took. */
function Outcome() {
  if (made.value === undefined) return null;
  const { seconds, firstMs, state, problem, wav } = made.value;
  const isRunning = state === 'running';
  return (
    <>
      <Problem text={problem} />
      <div class="actions">
        {isRunning && <Progress seconds={seconds} />}
        {wav && <MadeSound wav={wav} />}
      </div>
      <p class="note" role="status">
        {isRunning || firstMs === undefined ? '' : t.speech.made(seconds, toWait(firstMs))}
      </p>
    </>
  );
}

/** What was spoken, to be heard again and saved. */
function MadeSound({ wav }: { wav: Blob }) {
  return (
    <>
      <Sound url={useObjectUrl(wav)} name={t.speech.speakTitle} />
      <Button text={t.speech.saveWav} onClick={() => saveFile('speech.wav', wav)} />
    </>
  );
}

/** What is done now: the first of the sound is made, or it is heard up to some second. `seconds`: as many are there. */
function Progress({ seconds }: { seconds: number }) {
  useNow(250);
  const heard = Math.max(0, seconds - (player?.secondsAhead ?? 0));
  return (
    <span class="note pulse">{seconds === 0 ? t.speech.making : t.speech.speaking(toMinutes(heard))}</span>
  );
}

/** The sound that is or was made of the last text. */
interface Made {
  readonly seconds: number;
  /** From asking to the first sound; undefined: there is none yet. */
  readonly firstMs?: number;
  readonly state: 'running' | 'ended';
  /** What there is of it in the end. */
  readonly wav?: Blob;
  /** Why it did not go on. */
  readonly problem?: string;
}

/** It goes on, and stays, while the person looks at another view. */
const made = signal<Made | undefined>(undefined);

let leaving: AbortController | undefined;
/** Which plays it. */
let player: Player | undefined;

const stopSpeaking = (): void => leaving?.abort();

/** Plays `text` as it is made; resolves when it was heard. */
async function speakText(text: string, wish: VoiceWish): Promise<void> {
  const own = new AbortController();
  leaving = own;
  const pieces: Samples[] = [];
  const heard = new Player();
  player = heard;
  own.signal.addEventListener('abort', () => heard.stop());
  const sentMs = performance.now();
  let now: Made = { seconds: 0, state: 'running' };
  const show = (change: Partial<Made>) => {
    now = { ...now, ...change };
    made.value = now;
  };
  show({});
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
}

/** The sound as a WAV file. */
function toWav(pieces: readonly Samples[]): Blob {
  const dataBytes = pieces.reduce((sum, { byteLength }) => sum + byteLength, 0);
  return new Blob([wavHeader(sampleRateHz, dataBytes), ...pieces], { type: 'audio/wav' });
}
