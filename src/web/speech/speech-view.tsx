import { useEffect, useRef, useState } from 'preact/hooks';
import type { Transcription } from '../api/types.ts';
import { userJson } from '../state/session.ts';
import { loadModels, models, speechModels } from '../state/models.ts';
import { messageOf } from '../state/polled.ts';
import { t } from '../texts.ts';
import { Field, Problem } from '../ui/controls.tsx';
import { Icon } from '../ui/icon.tsx';
import { saveFile } from '../ui/save-file.ts';
import { toPosition } from '../words.ts';
import { formats, type TranscriptFormat } from './formats.ts';
import { useRecorder } from './recorder.ts';

interface Clip {
  readonly name: string;
  readonly url: string;
}

/** A recording or a file, as text. */
export function SpeechView() {
  const [language, setLanguage] = useState('');
  const { clip, transcript, problem, busy, transcribe } = useTranscription(language);
  const isPossible = models.value === undefined || speechModels.value.length > 0;
  useEffect(() => void loadModels().catch(() => undefined), []);
  const recorder = useRecorder((blob) => void transcribe(blob, 'recording.webm'));
  const take = (file: File | undefined) => {
    if (file !== undefined) void transcribe(file, file.name);
  };
  return (
    <div
      class="page"
      onDragOver={(event) => event.preventDefault()}
      onDrop={(event) => {
        event.preventDefault();
        take(event.dataTransfer?.files[0]);
      }}
    >
      <h1>{t.views.speech}</h1>
      <p class="quiet">{isPossible ? t.speech.lead : t.speech.noModel}</p>
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
        <FileChoice disabled={!isPossible} onFile={take} />
        <span class="quiet">{t.speech.drop}</span>
        <span class="spacer" />
        <Field label={t.speech.language}>
          <input
            size={6}
            maxlength={2}
            placeholder={t.speech.anyLanguage}
            value={language}
            onInput={({ currentTarget }) => setLanguage(currentTarget.value.trim())}
          />
        </Field>
      </section>
      {!window.isSecureContext && <p class="note">{t.speech.insecure}</p>}
      <Problem text={problem ?? recorder.problem} />
      {busy && (
        <p class="note pulse" role="status">
          {t.speech.transcribing}
        </p>
      )}
      {clip !== undefined && transcript !== undefined && <Transcript clip={clip} transcript={transcript} />}
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
        onChange={({ currentTarget }) => onFile(currentTarget.files?.[0])}
      />
    </label>
  );
}

/** The last clip and what was heard in it. */
function useTranscription(language: string) {
  const [clip, setClip] = useState<Clip>();
  const [transcript, setTranscript] = useState<Transcription>();
  const [problem, setProblem] = useState<string>();
  const [busy, setBusy] = useState(false);
  const transcribe = async (blob: Blob, name: string) => {
    // A file may come before the list of models.
    if (models.value === undefined) await loadModels().catch(() => undefined);
    const model = speechModels.value[0];
    if (model === undefined) return;
    if (clip !== undefined) URL.revokeObjectURL(clip.url);
    setClip({ name, url: URL.createObjectURL(blob) });
    setTranscript(undefined);
    setProblem(undefined);
    setBusy(true);
    const form = new FormData();
    form.append('model', model.id);
    if (language !== '') form.append('language', language);
    form.append('file', blob, name);
    try {
      setTranscript(await userJson<Transcription>('audio/transcriptions', { method: 'POST', body: form }));
    } catch (error) {
      setProblem(messageOf(error));
    }
    setBusy(false);
  };
  return { clip, transcript, problem, busy, transcribe };
}

function Transcript({ clip, transcript }: { clip: Clip; transcript: Transcription }) {
  const audio = useRef<HTMLAudioElement>(null);
  const playFrom = (seconds: number) => {
    if (audio.current === null) return;
    audio.current.currentTime = seconds;
    void audio.current.play();
  };
  return (
    <section class="card transcript">
      <audio ref={audio} controls src={clip.url} />
      {transcript.segments.length === 0 && <p>{t.speech.nothing}</p>}
      <ol>
        {transcript.segments.map(({ id, start, text }) => (
          <li key={id}>
            <button
              type="button"
              class="quiet"
              aria-label={t.speech.play(toPosition(start))}
              onClick={() => playFrom(start)}
            >
              {toPosition(start)}
            </button>
            <span>{text.trim()}</span>
          </li>
        ))}
      </ol>
      <div class="actions">
        {t.speech.download}
        {(Object.keys(formats) as TranscriptFormat[]).map((format) => (
          <button
            key={format}
            type="button"
            onClick={() =>
              saveFile(
                `${clip.name.replace(/\.\w+$/, '')}.${format}`,
                new Blob([formats[format](transcript)]),
              )
            }
          >
            {format}
          </button>
        ))}
      </div>
    </section>
  );
}
