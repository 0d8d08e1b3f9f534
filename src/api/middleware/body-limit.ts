import { AppError } from '../../errors.ts';
import { nodeBindings } from '../env.ts';
import type { AppContext } from '../env.ts';

/** Throws request_too_large when the headers already announce more than `limitBytes`. */
export function checkDeclaredLength(c: AppContext, limitBytes: number): void {
  if (Number(c.req.header('content-length') ?? 0) > limitBytes) throw tooLarge(limitBytes);
}

/**
 * The whole body; throws request_too_large as soon as more than `limitBytes` came, without keeping the rest. Before it
 * keeps more than it had before, it waits for `onReceived`, which is told how much came.
 */
export async function readBoundedBody(
  c: AppContext,
  limitBytes: number,
  onReceived: (receivedBytes: number) => Promise<void> | undefined,
): Promise<Uint8Array> {
  // Node's own stream where there is one: Request.body would put two more around it.
  const { incoming } = nodeBindings(c);
  const source = incoming?.iterator({ destroyOnReturn: false }) ?? c.req.raw.body ?? [];
  const chunks: Uint8Array[] = [];
  let receivedBytes = 0;
  for await (const chunk of source as AsyncIterable<Uint8Array>) {
    receivedBytes += chunk.byteLength;
    if (receivedBytes > limitBytes) {
      // What still comes is thrown away, so that the connection can be used again.
      incoming?.resume();
      throw tooLarge(limitBytes);
    }
    chunks.push(chunk);
    await onReceived(receivedBytes);
  }
  const [only] = chunks;
  return chunks.length === 1 && only !== undefined ? only : Buffer.concat(chunks, receivedBytes);
}

/** The refusal of a body of more than `limitBytes`. */
export function tooLarge(limitBytes: number): AppError {
  return new AppError(
    'request_too_large',
    `The request body is larger than the limit of ${limitBytes} bytes. Send less, or ask the operator to raise the limit.`,
  );
}
