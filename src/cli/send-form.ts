import { randomUUID } from 'node:crypto';
import { createReadStream, statSync } from 'node:fs';
import { Readable } from 'node:stream';
import { json } from 'node:stream/consumers';
import type { ServerConnection } from './server-connection.ts';

export interface FileForm {
  readonly fields: Readonly<Record<string, string>>;
  /** The file, and the name under which it is sent. */
  readonly path: string;
  readonly filename: string;
}

/** The JSON that the server answers to a form with a file. Throws as `send` of the connection. */
export async function sendForm(
  server: ServerConnection,
  address: string,
  { fields, path, filename }: FileForm,
  signal?: AbortSignal,
): Promise<unknown> {
  const boundary = `hearth-${randomUUID()}`;
  const part = (disposition: string, value: string) =>
    `--${boundary}\r\nContent-Disposition: form-data; ${disposition}\r\n\r\n${value}`;
  const parts = Object.entries(fields).map(([name, value]) => `${part(`name="${name}"`, value)}\r\n`);
  const head = Buffer.from(parts.join('') + part(`name="file"; filename="${filename}"`, ''));
  const tail = Buffer.from(`\r\n--${boundary}--\r\n`);
  async function* body(): AsyncGenerator<Buffer> {
    yield head;
    yield* createReadStream(path) as AsyncIterable<Buffer>;
    yield tail;
  }
  const response = await server.send(address, {
    method: 'POST',
    headers: {
      'content-type': `multipart/form-data; boundary=${boundary}`,
      'content-length': head.length + statSync(path).size + tail.length,
    },
    body: Readable.from(body(), { objectMode: false }),
    signal,
  });
  return json(response);
}
