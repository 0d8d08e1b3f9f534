import { useEffect, useState } from 'preact/hooks';
import { loadModels, models, speechModels } from '../state/models.ts';
import { t } from '../operator-texts.ts';
import { Button, Problem } from '../ui/controls.tsx';
import { ChoiceField, FileChoice, TextField } from '../ui/fields.tsx';
import { useRecorder } from './recorder.ts';
import { TranscriptView } from './transcript-view.tsx';
import { SpeakPanel, toMinutes } from './speak-panel.tsx';
import './speech.css';
import { job, transcribe } from './transcription.ts';

/** A recording or a file, as text. */
export function SpeechView() {
  const [language, setLanguage] = useState('');
  const [chosen, setChosen] = useState<string>();
  const model = speechModels.value.find(({ id }) => id === chosen) ?? speechModels.value[0];
  const isPossible = models.value === undefined || model !== undefined;
  useEffect(() => void loadModels().catch(() => undefined), []);
  const take = async (audio: Blob | undefined, name: string) => {
    // A file may come before the list of models.
    if (models.value === undefined) await loadModels().catch(() => undefined);
    const id = model?.id ?? speechModels.value[0]?.id;
    if (audio !== undefined && id !== undefined) await transcribe(audio, name, id, language);
  };
  const recorder = useRecorder((clip) => void take(clip, 'recording.webm'));
  const takeFile = (file: File | undefined) => void take(file, file?.name ?? '');
  return (
    <div
      class="page"
      onDragOver={(event) => event.preventDefault()}
      onDrop={(event) => {
        event.preventDefault();
        takeFile(event.dataTransfer?.files[0]);
      }}
    >
      <header>
        <h1>{t.views.speech}</h1>
        <p class="lead">{isPossible ? t.speech.lead : t.speech.noModel}</p>
      </header>
      <section class="card speech-tools">
        <Button
          class={recorder.recording ? 'danger' : 'primary'}
          disabled={!isPossible || !window.isSecureContext}
          icon={recorder.recording ? 'stop' : 'speech'}
          text={recorder.recording ? t.speech.stopRecording(toMinutes(recorder.seconds)) : t.speech.record}
          onClick={recorder.toggle}
        />
        <FileChoice
          text={t.speech.choose}
          accept="audio/*,video/mp4,video/webm"
          disabled={!isPossible}
          onFile={takeFile}
        />
        <span class="spacer" />
        {speechModels.value.length > 1 && (
          <ChoiceField
            label={t.chat.model}
            value={model?.id ?? ''}
            onChange={setChosen}
            options={speechModels.value.map(({ id }) => [id, id])}
          />
        )}
        <LanguageField value={language} onChange={setLanguage} />
      </section>
      {!window.isSecureContext && <p class="note">{t.speech.insecure}</p>}
      <Problem text={recorder.problem} />
      {job.value !== undefined && <TranscriptView job={job.value} />}
      <SpeakPanel />
    </div>
  );
}

/** Codes of much spoken languages, offered as the person types; any other code that the model knows is taken too. */
const offeredLanguages = 'ar de en es fr hi id it ja ko nl pl pt ru sv tr uk vi zh'.split(' ');

function LanguageField({ value, onChange }: { value: string; onChange: (code: string) => void }) {
  const names = new Intl.DisplayNames('en', { type: 'language' });
  return (
    <>
      <TextField
        label={t.speech.language}
        size={11}
        maxlength={3}
        list="languages"
        placeholder={t.speech.anyLanguage}
        value={value}
        onChange={(code) => onChange(code.trim())}
      />
      <datalist id="languages">
        {offeredLanguages.map((code) => (
          <option key={code} value={code}>
            {names.of(code)}
          </option>
        ))}
      </datalist>
    </>
  );
}
