import { AppError } from '../../errors.ts';
import type { AppContext } from '../env.ts';

/** Throws request_too_large when the headers already announce more than `limitBytes`. */
export function checkDeclaredLength(c: AppContext, limitBytes: number): void {
  if (Number(c.req.header('content-length') ?? 0) > limitBytes) throw tooLarge(limitBytes);
}

/** The whole body; throws request_too_large as soon as more than `limitBytes` came, without keeping the rest. */
export async function readBoundedBody(c: AppContext, limitBytes: number): Promise<ArrayBuffer | Uint8Array> {
  if (c.req.header('content-length') !== undefined) {
    // Node delivers no more bytes than were announced, and the announcement was checked.
    checkDeclaredLength(c, limitBytes);
    const body = await c.req.raw.arrayBuffer();
    if (body.byteLength > limitBytes) throw tooLarge(limitBytes);
    return body;
  }
  const chunks: Uint8Array[] = [];
  let receivedBytes = 0;
  for await (const chunk of c.req.raw.body ?? []) {
    receivedBytes += chunk.byteLength;
    if (receivedBytes > limitBytes) throw tooLarge(limitBytes);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, receivedBytes);
}

function tooLarge(limitBytes: number): AppError {
  return new AppError(
    'request_too_large',
    `The request body is larger than the limit of ${limitBytes} bytes. Send less, or ask the operator to raise the limit.`,
  );
}
