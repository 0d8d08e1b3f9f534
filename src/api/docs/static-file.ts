import { createHash } from 'node:crypto';
import type { AppContext } from '../env.ts';

/** A body that does not change while the process runs. */
export interface StaticFile {
  readonly body: string | Uint8Array<ArrayBuffer>;
  readonly mediaType: string;
  /** Including the quotation marks. */
  readonly etag: string;
}

export function toStaticFile(body: StaticFile['body'], mediaType: string): StaticFile {
  const digest = createHash('sha256').update(body).digest('base64url').slice(0, 22);
  return { body, mediaType, etag: `"${digest}"` };
}

/** `file`, or a 304 if the client has it: clients may keep it, and must ask each time whether it has changed. */
export function respondUnlessKnown(c: AppContext, { body, mediaType, etag }: StaticFile): Response {
  c.header('etag', etag);
  c.header('cache-control', 'private, no-cache');
  c.header('x-content-type-options', 'nosniff');
  const known = c.req
    .header('if-none-match')
    ?.split(',')
    .map((tag) => tag.trim().replace(/^W\//, ''));
  if (known?.includes(etag) === true) return c.body(null, 304);
  c.header('content-type', mediaType);
  return c.body(body);
}
