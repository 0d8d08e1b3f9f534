import type { StreamedAnswer } from '../generation/serve-generation.ts';
import { dataEvent } from '../generation/wire/sse.ts';
import { toSegment, toTranscription } from './convert.ts';
import type { FinishedTranscription, TranscriptionEvent } from './transcription-run.ts';

export interface TranscriptStreamOptions {
  readonly translates: boolean;
  /** Each segment is told with its times as well, and the end with what the document has beside them. */
  readonly withSegments: boolean;
}

/** The events of OpenAI's transcriptions: a delta for each segment, and at the end the whole text. */
export class TranscriptStream implements StreamedAnswer<TranscriptionEvent, FinishedTranscription> {
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
    const written = delta === '' ? '' : write({ type: 'transcript.text.delta', delta });
    return this.#options.withSegments ? written + this.#segment(toSegment(event.segment)) : written;
  }

  *end({ transcript }: FinishedTranscription): Iterable<string> {
    const { segments, ...document } = toTranscription(transcript, this.#options.translates);
    const { text, usage } = document;
    if (!this.#options.withSegments) {
      yield write({ type: 'transcript.text.done', text, usage });
      return;
    }
    // A server elsewhere tells its segments at the end only.
    for (const segment of segments.slice(this.#toldSegments)) yield this.#segment(segment);
    yield write({ type: 'transcript.text.done', ...document });
  }

  #segment(segment: ReturnType<typeof toSegment>): string {
    this.#toldSegments += 1;
    return write({ type: 'transcript.text.segment', ...segment });
  }
}

const write = (event: { readonly type: string; readonly [field: string]: unknown }) =>
  dataEvent(JSON.stringify(event));
