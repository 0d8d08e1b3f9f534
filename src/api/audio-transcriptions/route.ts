import { audioExtensions } from '../../engine/audio/audio-file.ts';
import { AppError } from '../../errors/errors.ts';
import type { AppContext, AppDeps } from '../env.ts';
import { meteredRoutes } from '../generation/metering.ts';
import { serveGeneration, type StreamedAnswer } from '../generation/serve-generation.ts';
import { findModelFor } from '../model/find-model.ts';
import { readBody } from '../request/read-parameters.ts';
import { toTranscription, toTranscriptionRequest, toSegment } from './convert.ts';
import { asksForSegments, parseTranscription } from './schema.ts';
import {
  runTranscription,
  type FinishedTranscription,
  type TranscriptionEvent,
} from './transcription-run.ts';
import type { UploadedFile } from '../upload/uploaded-file.ts';
import { jsonEvent } from '../generation/wire/sse.ts';

interface TranscriptStreamOptions {
  readonly translates: boolean;
  /** Each segment is told with its times as well, and the end with the other fields of the document. */
  readonly withSegments: boolean;
}

/** The events of OpenAI's transcriptions: a delta for each segment, and at the end the whole text. */
class TranscriptStream implements StreamedAnswer<TranscriptionEvent, FinishedTranscription> {
  readonly #options: TranscriptStreamOptions;
  #isEmpty = true;
  #toldSegments = 0;

  constructor(options: TranscriptStreamOptions) {
    this.#options = options;
  }

  add(event: TranscriptionEvent): string {
    if (event.type === 'started') return '';
    const { text } = event.segment;
    // Each segment begins with a space, which the first one has no use for.
    const delta = this.#isEmpty ? text.trimStart() : text;
    this.#isEmpty &&= delta === '';
    const written = delta === '' ? '' : jsonEvent({ type: 'transcript.text.delta', delta });
    return this.#options.withSegments ? written + this.#segment(toSegment(event.segment)) : written;
  }

  *end({ transcript }: FinishedTranscription): Iterable<string> {
    const { segments, ...document } = toTranscription(transcript, this.#options.translates);
    const { text, usage } = document;
    if (!this.#options.withSegments) {
      yield jsonEvent({ type: 'transcript.text.done', text, usage });
      return;
    }
    // A server elsewhere tells its segments at the end only.
    for (const segment of segments.slice(this.#toldSegments)) yield this.#segment(segment);
    yield jsonEvent({ type: 'transcript.text.done', ...document });
  }

  #segment(segment: ReturnType<typeof toSegment>): string {
    this.#toldSegments += 1;
    return jsonEvent({ type: 'transcript.text.segment', ...segment });
  }
}

/** POST /v1/audio/transcriptions, and /v1/audio/translations, which writes English: transcribes the file. */
export async function transcribe(
  c: AppContext,
  deps: AppDeps,
  route: 'transcriptions' | 'translations',
): Promise<Response> {
  const translates = route === 'translations';
  const takesEvents = readsEvents(c);
  const parameters = readBody(c, (form) => parseTranscription(form, takesEvents));
  checkExtension(parameters.file);
  const principal = c.get('principal');
  const { model } = findModelFor('transcription', deps.catalog, principal, parameters.model);
  const request = toTranscriptionRequest(parameters, model, principal, translates);
  return await serveGeneration(c, deps, {
    route: meteredRoutes[route],
    model,
    generate: (signal) => runTranscription(deps, request, signal),
    answer:
      takesEvents && parameters.stream === 'true'
        ? new TranscriptStream({ translates, withSegments: asksForSegments(parameters) })
        : ({ transcript }) => toTranscription(transcript, translates),
    places: [],
  });
}

/**
 * Whether the client reads events where it asks for a stream. The specification's answer is always JSON, so plain clients
 * have to say that they accept events. OpenAI's packages never say it: they ask for JSON and then read nothing but events.
 */
function readsEvents(c: AppContext): boolean {
  return (
    /(?:^|,)\s*text\/event-stream\s*(?:;|,|$)/i.test(c.req.header('accept') ?? '') ||
    c.req.header('x-stainless-lang') !== undefined ||
    /^(?:Async)?(?:Azure)?OpenAI\//.test(c.req.header('user-agent') ?? '')
  );
}

function checkExtension({ extension }: UploadedFile): void {
  if (audioExtensions.includes(extension)) return;
  const accepted = audioExtensions.map((name) => `.${name}`).join(', ');
  throw new AppError('unsupported_file', `The name of the file must end in one of ${accepted}.`, {
    param: 'file',
  });
}
