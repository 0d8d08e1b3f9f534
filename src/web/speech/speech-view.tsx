import { useEffect, useState } from 'preact/hooks';
import { loadModels, models, speechModels } from '../state/models.ts';
import { t } from '../operator-texts.ts';
import { Choice, Field, Problem } from '../ui/controls.tsx';
import { Icon } from '../ui/icon.tsx';
import { useRecorder } from './recorder.ts';
import { TranscriptView } from './transcript-view.tsx';
import { SpeakPanel } from './speak-panel.tsx';
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
    if (audio !== undefined && id !== undefined) await transcribe(audio, name, { model: id, language });
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
        <button
          type="button"
          class="primary"
          disabled={!isPossible || !window.isSecureContext}
          onClick={recorder.toggle}
        >
          <Icon name={recorder.recording ? 'stop' : 'speech'} />
          {recorder.recording ? t.speech.stopRecording(recorder.seconds) : t.speech.record}
        </button>
        <FileChoice disabled={!isPossible} onFile={takeFile} />
        <span class="spacer" />
        {speechModels.value.length > 1 && (
          <Field label={t.chat.model}>
            <Choice
              value={model?.id ?? ''}
              onChange={setChosen}
              options={speechModels.value.map(({ id }) => [id, id])}
            />
          </Field>
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

function FileChoice({ disabled, onFile }: { disabled: boolean; onFile: (file: File | undefined) => void }) {
  return (
    <label class="button">
      {t.speech.choose}
      <input
        type="file"
        class="visually-hidden"
        accept="audio/*,video/mp4,video/webm"
        disabled={disabled}
        onChange={({ currentTarget }) => {
          onFile(currentTarget.files?.[0]);
          // The same file may be chosen again.
          currentTarget.value = '';
        }}
      />
    </label>
  );
}

/** Codes of much spoken languages, offered as the person types; any other code that the model knows is taken too. */
const offeredLanguages = 'ar de en es fr hi id it ja ko nl pl pt ru sv tr uk vi zh'.split(' ');

function LanguageField({ value, onChange }: { value: string; onChange: (code: string) => void }) {
  const names = new Intl.DisplayNames('en', { type: 'language' });
  return (
    <Field label={t.speech.language}>
      <input
        size={8}
        maxlength={3}
        list="languages"
        placeholder={t.speech.anyLanguage}
        value={value}
        onInput={({ currentTarget }) => onChange(currentTarget.value.trim())}
      />
      <datalist id="languages">
        {offeredLanguages.map((code) => (
          <option key={code} value={code}>
            {names.of(code)}
          </option>
        ))}
      </datalist>
    </Field>
  );
}
