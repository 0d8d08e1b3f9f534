import { openAsBlob } from 'node:fs';
import { Readable } from 'node:stream';
import { json } from 'node:stream/consumers';
import type { ReadableStream } from 'node:stream/web';
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
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  // It is read while it is sent.
  form.set('file', await openAsBlob(path), filename);
  const { headers, body } = new Response(form);
  const response = await server.send(address, {
    method: 'POST',
    headers: { 'content-type': headers.get('content-type') ?? '' },
    body: Readable.fromWeb(body as ReadableStream),
    signal,
  });
  return json(response);
}
