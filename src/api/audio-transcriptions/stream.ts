import type { AppError } from '../../errors/errors.ts';
import type { StreamedAnswer, WholeAnswer } from '../generation/serve-generation.ts';
import { dataEvent, errorEvent } from '../generation/sse.ts';
import { toTranscription } from './convert.ts';
import type { FinishedTranscription, TranscriptionEvent } from './transcription-run.ts';

/** The transcript as one JSON document. */
export class WholeTranscript implements WholeAnswer<TranscriptionEvent, FinishedTranscription> {
  readonly #translates: boolean;

  constructor(translates: boolean) {
    this.#translates = translates;
  }

  add(): void {}

  body({ transcript }: FinishedTranscription): object {
    return toTranscription(transcript, this.#translates);
  }
}

/** The events of OpenAI's transcriptions: a delta for each segment, and at the end the whole text. */
export class TranscriptStream implements StreamedAnswer<TranscriptionEvent, FinishedTranscription> {
  readonly #translates: boolean;
  #isEmpty = true;

  constructor(translates: boolean) {
    this.#translates = translates;
  }

  begin(): string {
    return '';
  }

  add(event: TranscriptionEvent): string {
    if (event.type === 'started') return '';
    // Each segment begins with a space, which the first one has no use for.
    const delta = this.#isEmpty ? event.text.trimStart() : event.text;
    this.#isEmpty &&= delta === '';
    return delta === '' ? '' : write({ type: 'transcript.text.delta', delta });
  }

  *end({ transcript }: FinishedTranscription): Iterable<string> {
    const { text, usage } = toTranscription(transcript, this.#translates);
    yield write({ type: 'transcript.text.done', text, usage });
  }

  fail(error: AppError): string {
    return errorEvent(error);
  }
}

const write = (event: { readonly type: string; readonly [field: string]: unknown }) =>
  dataEvent(JSON.stringify(event));
