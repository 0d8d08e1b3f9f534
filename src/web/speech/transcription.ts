import { signal } from '@preact/signals';
import { eventsOf } from '../api/request.ts';
import type { Transcription, TranscriptionEvent } from '../api/types.ts';
import { messageOf } from '../state/polled.ts';
import { asUser } from '../state/session.ts';
import { toForm } from './write-down.ts';

/** A recording or a file with what was heard in it so far. */
export interface Job {
  readonly name: string;
  /** Where the browser plays the audio from. */
  readonly url: string;
  readonly transcript: Transcription;
  readonly state: 'running' | 'done' | 'stopped' | 'failed';
  /** Why it failed. */
  readonly problem?: string;
}

/** The last one. It goes on, and stays, while the person looks at another view. */
export const job = signal<Job | undefined>(undefined);

const nothingYet: Transcription = {
  task: 'transcribe',
  language: '',
  duration: 0,
  text: '',
  segments: [],
  usage: { type: 'duration', seconds: 0 },
};

let leaving: AbortController | undefined;

/** Has the server write down what is said in `audio`; each segment shows as soon as it was heard. */
export async function transcribe(audio: Blob, name: string, model: string, language: string): Promise<void> {
  leaving?.abort();
  if (job.value !== undefined) URL.revokeObjectURL(job.value.url);
  const own = new AbortController();
  leaving = own;
  let shown: Job = { name, url: URL.createObjectURL(audio), transcript: nothingYet, state: 'running' };
  const show = (change: Partial<Job>) => {
    shown = { ...shown, ...change };
    if (leaving === own) job.value = shown;
  };
  show({});
  const form = toForm(audio, name, model, language);
  form.append('stream', 'true');
  form.append('response_format', 'verbose_json');
  try {
    const response = await asUser('audio/transcriptions', {
      method: 'POST',
      body: form,
      accept: 'text/event-stream',
      signal: own.signal,
    });
    for await (const event of eventsOf<TranscriptionEvent>(response))
      show({ transcript: withEvent(shown.transcript, event) });
    show({ state: 'done' });
  } catch (error) {
    show(own.signal.aborted ? { state: 'stopped' } : { state: 'failed', problem: messageOf(error) });
  }
}

export const stopTranscription = (): void => leaving?.abort();

type HeardEvent = Exclude<TranscriptionEvent, { error: unknown }>;

/** `transcript` with one more segment, or with what the end of the stream tells. */
function withEvent(transcript: Transcription, event: HeardEvent): Transcription {
  const { type, ...fields } = event;
  if (type === 'transcript.text.segment')
    return { ...transcript, segments: [...transcript.segments, fields as Transcription['segments'][number]] };
  return type === 'transcript.text.done' ? { ...transcript, ...fields } : transcript;
}
