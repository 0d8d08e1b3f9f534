import { can } from '../../model-kinds.ts';
import { createReadStream } from 'node:fs';
import { Readable } from 'node:stream';
import { json } from 'node:stream/consumers';
import { randomUUID } from 'node:crypto';
import type { ServerConnection } from '../server-connection.ts';
import type { SpeechBackend, SpeechRequest, Transcription } from './backend.ts';

/** Transcribes with a model in the running server. Tells no progress: the API does not. */
export function speechServer(connection: ServerConnection): SpeechBackend {
  return {
    models: async () => (await connection.models()).filter((model) => can(model, 'transcribe')),
    async transcribe(request, signal) {
      const { head, tail, boundary } = toForm(request);
      const { path, sizeBytes } = request.audio;
      const response = await connection.send('/audio/transcriptions', {
        method: 'POST',
        headers: {
          'content-type': `multipart/form-data; boundary=${boundary}`,
          'content-length': head.length + sizeBytes + tail.length,
        },
        body: Readable.from(inTurn(head, createReadStream(path), tail), { objectMode: false }),
        signal,
      });
      return (await json(response)) as Transcription;
    },
    close: async () => connection.close(),
  };
}

/** What stands before and after the audio in the form that the API takes. */
function toForm({ model, audio, language, prompt, temperature }: SpeechRequest) {
  const boundary = `hearth-${randomUUID()}`;
  const fields = {
    model,
    language,
    temperature: String(temperature),
    ...(prompt !== undefined && { prompt }),
  };
  const part = (disposition: string, value: string) =>
    `--${boundary}\r\nContent-Disposition: form-data; ${disposition}\r\n\r\n${value}`;
  const parts = Object.entries(fields).map(([name, value]) => `${part(`name="${name}"`, value)}\r\n`);
  const file = part(`name="file"; filename="audio.${audio.extension}"`, '');
  return { boundary, head: Buffer.from(parts.join('') + file), tail: Buffer.from(`\r\n--${boundary}--\r\n`) };
}

async function* inTurn(head: Buffer, content: AsyncIterable<Buffer>, tail: Buffer): AsyncGenerator<Buffer> {
  yield head;
  yield* content;
  yield tail;
}
