import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { loadModels, models, speechModels } from '../../state/models.ts';
import { t } from '../../words/operator-texts.ts';
import { Button, Problem } from '../../ui/controls.tsx';
import { ChoiceField, FileChoice, TextField } from '../../ui/forms/fields.tsx';
import { Heard, useRecorder } from './recorder.tsx';
import { TranscriptView } from './transcript-view.tsx';
import { jobs, loadJobs, removeJob, transcribe, type Job } from './transcription.ts';

const language = signal('');
const chosen = signal('');
const listener = () => speechModels.value.find(({ id }) => id === chosen.value) ?? speechModels.value[0];

/** Has the speech in `audio` written down as the panel says. */
export async function take(audio: Blob | undefined, name: string): Promise<void> {
  // A file may come before the list of models.
  if (models.value === undefined) await loadModels().catch(() => undefined);
  const model = listener();
  if (audio !== undefined && model !== undefined) await transcribe(audio, name, model.id, language.value);
}

/** Has it written down anew, in place of its text before. */
function again({ id, audio, name }: Job): void {
  removeJob(id);
  void take(audio, name);
}

/** A recording or a file, as text. */
export function HearPanel() {
  const isPossible = models.value === undefined || listener() !== undefined;
  useEffect(() => void loadJobs().catch(() => undefined), []);
  const { microphone, problem, toggle } = useRecorder((clip) => void take(clip, t.speech.recording));
  if (!isPossible && jobs.value.length === 0) return null;
  return (
    <>
      <section class="card hear" aria-label={t.speech.parts.hear}>
        {microphone && <Heard microphone={microphone} />}
        <div class="actions">
          <Button
            class={microphone ? 'danger' : 'primary'}
            disabled={!isPossible || !window.isSecureContext}
            icon={microphone ? 'stop' : 'speech'}
            text={microphone ? t.chat.stop : t.speech.record}
            onClick={toggle}
          />
          {!microphone && (
            <FileChoice
              text={t.speech.choose}
              accept="audio/*,video/mp4,video/webm"
              disabled={!isPossible}
              onFile={(file) => void take(file, file.name)}
            />
          )}
        </div>
        {!microphone && <p class="note">{lead()}</p>}
        <div class="speech-tools">
          <ModelField />
          <LanguageField />
        </div>
      </section>
      <Problem text={problem} />
      {jobs.value.map((job, index) => (
        <TranscriptView key={job.id} job={job} isNewest={index === 0} onAgain={isPossible && again} />
      ))}
    </>
  );
}

function lead(): string {
  if (!window.isSecureContext) return t.speech.insecure;
  // Fingers drop no files.
  return matchMedia('(pointer: coarse)').matches ? t.speech.leadOnTouch : t.speech.lead;
}

/** Which model listens, where there are several. */
const ModelField = () =>
  speechModels.value.length < 2 ? null : (
    <ChoiceField
      label={t.chat.model}
      value={listener()?.id ?? ''}
      onChange={(id) => (chosen.value = id)}
      options={speechModels.value.map(({ id }) => [id, id])}
    />
  );

/** Codes of much spoken languages, offered as the person types; any other code that the model knows is taken too. */
const offeredLanguages = 'ar de en es fr hi id it ja ko nl pl pt ru sv tr uk vi zh'.split(' ');

function LanguageField() {
  const names = new Intl.DisplayNames('en', { type: 'language' });
  return (
    <>
      <TextField
        label={t.speech.language}
        size={11}
        maxlength={3}
        list="languages"
        placeholder={t.speech.anyLanguage}
        value={language.value}
        onChange={(code) => (language.value = code.trim())}
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
