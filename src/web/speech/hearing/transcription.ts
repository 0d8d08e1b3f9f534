import { signal } from '@preact/signals';
import { openDB, type DBSchema } from 'idb';
import { eventsOf } from '../../api/request.ts';
import type { Transcription, TranscriptionEvent } from '../../api/types.ts';
import { messageOf } from '../../state/polled.ts';
import { asUser } from '../../state/session.ts';
import { toForm } from './write-down.ts';

/** A recording or a file with its text so far. */
export interface Job {
  readonly id: string;
  readonly name: string;
  readonly begunAtMs: number;
  readonly audio: Blob;
  readonly transcript: Transcription;
  readonly state: 'running' | 'done' | 'stopped' | 'failed';
  /** Why it failed. */
  readonly problem?: string;
}

interface Schema extends DBSchema {
  jobs: { key: string; value: Job };
}

const openDatabase = () =>
  openDB<Schema>('hearth-transcripts', 1, {
    upgrade(db) {
      db.createObjectStore('jobs', { keyPath: 'id' });
    },
  });
let database: ReturnType<typeof openDatabase> | undefined;
const kept = () => (database ??= openDatabase());

/** So many are kept by this browser; older ones give way. */
const mostKept = 20;

/** The newest first. They go on, and stay, while the person looks at another view. */
export const jobs = signal<readonly Job[]>([]);

/** Those that run, by the id of their job. */
const running = new Map<string, AbortController>();

/** Shows the texts from before, too. A page that was left while it listened to one has stopped that. */
export async function loadJobs(): Promise<void> {
  const read = await (await kept()).getAll('jobs');
  const others = read
    .filter(({ id }) => !jobs.value.some((job) => job.id === id))
    .map((job): Job => (job.state === 'running' ? { ...job, state: 'stopped' } : job));
  jobs.value = [...jobs.value, ...others].sort((one, other) => other.begunAtMs - one.begunAtMs);
}

const nothingYet: Transcription = {
  task: 'transcribe',
  language: '',
  duration: 0,
  text: '',
  segments: [],
  usage: { type: 'duration', seconds: 0 },
};

/** Has the server write down the speech in `audio`; each segment shows as soon as it was heard. */
export async function transcribe(audio: Blob, name: string, model: string, language: string): Promise<void> {
  const begunAtMs = Date.now();
  const id = `${begunAtMs} ${name}`;
  const leaving = new AbortController();
  running.set(id, leaving);
  let shown: Job = { id, name, begunAtMs, audio, transcript: nothingYet, state: 'running' };
  jobs.value = [shown, ...jobs.value];
  // A recording exists nowhere else.
  const begun = keep(shown);
  const show = (change: Partial<Job>) => {
    shown = { ...shown, ...change };
    jobs.value = jobs.value.map((job) => (job.id === id ? shown : job));
  };
  const form = toForm(audio, audio instanceof File ? name : 'recording.webm', model, language);
  form.append('stream', 'true');
  form.append('response_format', 'verbose_json');
  try {
    const response = await asUser('audio/transcriptions', {
      method: 'POST',
      body: form,
      accept: 'text/event-stream',
      signal: leaving.signal,
    });
    for await (const event of eventsOf<TranscriptionEvent>(response))
      show({ transcript: withEvent(shown.transcript, event) });
    show({ state: 'done' });
  } catch (error) {
    show(leaving.signal.aborted ? { state: 'stopped' } : { state: 'failed', problem: messageOf(error) });
  }
  running.delete(id);
  await begun;
  if (jobs.value.includes(shown)) await keep(shown);
}

/** A browser without room for it shows it all the same, until the tab is closed. */
async function keep(job: Job): Promise<void> {
  try {
    const db = await kept();
    await db.put('jobs', job);
    for (const { id } of jobs.value.slice(mostKept)) await db.delete('jobs', id);
  } catch {
    // Nothing else depends on it.
  }
}

export const stopTranscription = (id: string): void => running.get(id)?.abort();

export function removeJob(id: string): void {
  stopTranscription(id);
  jobs.value = jobs.value.filter((job) => job.id !== id);
  void kept().then((db) => db.delete('jobs', id));
}

type HeardEvent = Exclude<TranscriptionEvent, { error: unknown }>;

/** `transcript` with one more segment, or with the facts at the end of the stream. */
function withEvent(transcript: Transcription, event: HeardEvent): Transcription {
  const { type, ...fields } = event;
  if (type === 'transcript.text.segment')
    return { ...transcript, segments: [...transcript.segments, fields as Transcription['segments'][number]] };
  return type === 'transcript.text.done' ? { ...transcript, ...fields } : transcript;
}
