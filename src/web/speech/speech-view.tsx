import { useEffect, useState } from 'preact/hooks';
import { loadModels, models, speechModels } from '../state/models.ts';
import { t } from '../words/operator-texts.ts';
import { Button, Problem } from '../ui/controls.tsx';
import { ChoiceField, FileChoice, TextField } from '../ui/forms/fields.tsx';
import { Heard, useRecorder } from './recorder.tsx';
import { TranscriptView } from './transcript-view.tsx';
import { SpeakPanel } from './speak-panel.tsx';
import './speech.css';
import { jobs, loadJobs, transcribe, type Job } from './transcription.ts';

/** A recording or a file, as text. */
export function SpeechView() {
  const [language, setLanguage] = useState('');
  const [chosen, setChosen] = useState<string>();
  const model = speechModels.value.find(({ id }) => id === chosen) ?? speechModels.value[0];
  const isPossible = models.value === undefined || model !== undefined;
  useEffect(() => {
    void loadModels().catch(() => undefined);
    void loadJobs().catch(() => undefined);
  }, []);
  const take = async (audio: Blob | undefined, name: string) => {
    // A file may come before the list of models.
    if (models.value === undefined) await loadModels().catch(() => undefined);
    const id = model?.id ?? speechModels.value[0]?.id;
    if (audio !== undefined && id !== undefined) await transcribe(audio, name, id, language);
  };
  const { microphone, problem, toggle } = useRecorder((clip) => void take(clip, t.speech.recording));
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
        <h2>{t.speech.writeTitle}</h2>
        <Button
          class={microphone ? 'danger' : 'primary'}
          disabled={!isPossible || !window.isSecureContext}
          icon={microphone ? 'stop' : 'speech'}
          text={microphone ? t.chat.stop : t.speech.record}
          onClick={toggle}
        />
        {microphone && <Heard microphone={microphone} />}
        <FileChoice
          text={t.speech.choose}
          accept="audio/*,video/mp4,video/webm"
          disabled={!isPossible || microphone !== undefined}
          onFile={takeFile}
        />
        <span class="spacer" />
        <ModelField value={model?.id ?? ''} onChange={setChosen} />
        <LanguageField value={language} onChange={setLanguage} />
      </section>
      {!window.isSecureContext && <p class="note">{t.speech.insecure}</p>}
      <Problem text={problem} />
      {jobs.value.slice(0, 1).map(toView)}
      <SpeakPanel />
      {jobs.value.length > 1 && <h2>{t.speech.before}</h2>}
      {jobs.value.slice(1).map(toView)}
    </div>
  );
}

const toView = (job: Job) => <TranscriptView key={job.id} job={job} isNewest={job === jobs.value[0]} />;

/** Which model listens, where there are several. */
const ModelField = ({ value, onChange }: { value: string; onChange: (model: string) => void }) =>
  speechModels.value.length < 2 ? null : (
    <ChoiceField
      label={t.chat.model}
      value={value}
      onChange={onChange}
      options={speechModels.value.map(({ id }) => [id, id])}
    />
  );

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
