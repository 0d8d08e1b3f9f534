import { signal } from '@preact/signals';
import { useState } from 'preact/hooks';
import { t } from '../words/operator-texts.ts';
import { voiceModels } from '../state/models.ts';
import { Button } from '../ui/controls.tsx';
import { ChoiceField, Form } from '../ui/forms/fields.tsx';
import { VoiceChoice, VoiceModelChoice } from '../voice/voice-choice.tsx';
import { SpokenView } from './spoken-view.tsx';
import { speakText, spokenTexts, stopSpeaking } from './spoken.ts';

/** In characters, as the server has it. */
const mostCharacters = 4096;
const speeds = ['0.5', '0.75', '1', '1.25', '1.5', '2'];

/** It stays while the person looks at another view. */
const typed = signal('');

/** A text, as speech: it is played as it is made, and can be heard again and saved. */
export function SpeakPanel() {
  const text = typed.value;
  const [chosen, setChosen] = useState<string>();
  const [voice, setVoice] = useState<string>();
  const [speed, setSpeed] = useState('1');
  const model = voiceModels.value.find(({ id }) => id === chosen) ?? voiceModels.value[0];
  const isRunning = spokenTexts.value[0]?.state === 'running';
  if (model === undefined) return null;
  const speak = () => {
    if (!isRunning && text.trim() !== '')
      void speakText(text, { model: model.id, voice, ...(speed !== '1' && { speed: Number(speed) }) });
  };
  return (
    <>
      <Form class="card speak" onSend={isRunning ? stopSpeaking : speak}>
        <div class="text">
          <textarea
            aria-label={t.speech.speakText}
            placeholder={t.speech.speakText}
            dir="auto"
            maxlength={mostCharacters}
            value={text}
            onInput={({ currentTarget }) => (typed.value = currentTarget.value)}
            onKeyDown={(event) => {
              if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) speak();
            }}
          />
          {text === '' && <Examples />}
        </div>
        <div class="speech-tools">
          <VoiceModelChoice value={model.id} onChange={setChosen} />
          <VoiceChoice value={voice} onChange={setVoice} />
          <ChoiceField
            label={t.speech.speed}
            value={speed}
            onChange={setSpeed}
            options={speeds.map((one) => [one, `${one} ×`])}
          />
          <span class="send">
            <small class="figures">{t.speech.characters(text.length, mostCharacters)}</small>
            <Button
              type="submit"
              class="primary"
              disabled={!isRunning && text.trim() === ''}
              icon={isRunning ? 'stop' : 'sound'}
              text={isRunning ? t.speech.stopSpeaking : t.speech.speak}
            />
          </span>
        </div>
      </Form>
      {spokenTexts.value.length > 0 && (
        <ol class="plain spoken-texts">
          {spokenTexts.value.map((one) => (
            <SpokenView key={one.id} one={one} />
          ))}
        </ol>
      )}
    </>
  );
}

/** Texts to begin with, for whoever wants to hear a voice first. */
const Examples = () => (
  <div class="examples">
    {Object.entries(t.speech.examples).map(([title, example]) => (
      <Button
        key={title}
        text={title}
        onClick={({ currentTarget }) => {
          typed.value = example;
          // The button goes.
          currentTarget.closest('.text')?.querySelector('textarea')?.focus();
        }}
      />
    ))}
  </div>
);
