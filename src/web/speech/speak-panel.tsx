import { useState } from 'preact/hooks';
import { t } from '../operator-texts.ts';
import { voiceModels } from '../state/models.ts';
import { Field, Problem } from '../ui/controls.tsx';
import { Icon } from '../ui/icon.tsx';
import { saveFile } from '../ui/save-file.ts';
import { VoiceChoice, VoiceModelChoice } from '../voice/voice-choice.tsx';
import { made, speakText, stopSpeaking, toWav } from './spoken-text.ts';

/** In characters, as the server has it. */
const mostCharacters = 4096;
const speeds = [0.5, 0.75, 1, 1.25, 1.5, 2];

/** A text, as speech: it is played as it is made, and can be saved. */
export function SpeakPanel() {
  const [text, setText] = useState('');
  const [chosen, setChosen] = useState<string>();
  const [voice, setVoice] = useState<string>();
  const [speed, setSpeed] = useState(1);
  const model = voiceModels.value.find(({ id }) => id === chosen) ?? voiceModels.value[0];
  const isRunning = made.value?.state === 'running';
  if (model === undefined) return null;
  return (
    <form
      class="card speak"
      onSubmit={(event) => {
        event.preventDefault();
        if (isRunning) stopSpeaking();
        else if (text.trim() !== '')
          void speakText(text, { model: model.id, voice, ...(speed !== 1 && { speed }) });
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
        onInput={({ currentTarget }) => setText(currentTarget.value)}
      />
      <div class="speech-tools">
        <button type="submit" class="primary" disabled={!isRunning && text.trim() === ''}>
          <Icon name={isRunning ? 'stop' : 'sound'} />
          {isRunning ? t.speech.stopSpeaking : t.speech.speak}
        </button>
        <span class="spacer" />
        <VoiceModelChoice value={model.id} onChange={setChosen} />
        <VoiceChoice value={voice} onChange={setVoice} />
        <Field label={t.speech.speed}>
          <select value={speed} onChange={({ currentTarget }) => setSpeed(Number(currentTarget.value))}>
            {speeds.map((one) => (
              <option key={one} value={one}>
                {one} ×
              </option>
            ))}
          </select>
        </Field>
      </div>
      <Outcome />
    </form>
  );
}

/** How much sound there is, and how long the first of it took. */
function Outcome() {
  if (made.value === undefined) return null;
  const { seconds, firstMs, state, problem } = made.value;
  return (
    <>
      <Problem text={problem} />
      <div class="actions">
        <span class={state === 'running' ? 'note pulse' : 'note'} role="status">
          {firstMs === undefined ? '' : t.speech.made(seconds, firstMs)}
        </span>
        <span class="spacer" />
        {seconds > 0 && state !== 'running' && (
          <button type="button" onClick={() => saveFile('speech.wav', toWav())}>
            {t.speech.saveWav}
          </button>
        )}
      </div>
    </>
  );
}
