import type { StreamedAnswer } from '../generation/serve-generation.ts';
import { dataEvent } from '../generation/wire/sse.ts';
import { toSpeechUsage } from './operation.ts';
import type { FinishedSpeech, SoundEvent } from './speech-run.ts';

/** The sound itself, as the body of the response. */
export class SoundStream implements StreamedAnswer<SoundEvent, FinishedSpeech> {
  readonly contentType: string;

  constructor(contentType: string) {
    this.contentType = contentType;
  }

  add({ bytes }: SoundEvent): Uint8Array {
    return bytes;
  }

  end(): Iterable<string> {
    return [];
  }

  fail(): undefined {
    return undefined;
  }
}

/** The sound in the events of OpenAI's speech, and at the end what it took. */
export class SpeechEventStream implements StreamedAnswer<SoundEvent, FinishedSpeech> {
  add({ bytes }: SoundEvent): string {
    if (bytes.length === 0) return '';
    return write({ type: 'speech.audio.delta', audio: Buffer.from(bytes).toString('base64') });
  }

  end({ usage, audioSeconds }: FinishedSpeech): Iterable<string> {
    return [write({ type: 'speech.audio.done', usage: toSpeechUsage(usage, audioSeconds) })];
  }
}

const write = (event: { readonly type: string; readonly [field: string]: unknown }) =>
  dataEvent(JSON.stringify(event));
