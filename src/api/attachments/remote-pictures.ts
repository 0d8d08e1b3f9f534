import { DownloadError, statusError } from '../../catalog/download/download-error.ts';
import { httpGet, type Network } from '../../catalog/download/http/http-get.ts';
import { pictureLimits } from '../../engine/pictures/header/picture-header.ts';
import type { Caller } from '../../engine/queue/waiting-room.ts';
import { AppError } from '../../errors/errors.ts';
import { BodyMemory } from '../middleware/body/body-memory.ts';

/** A picture or document at an address, and the parameter that names it. */
export interface RemotePicture {
  readonly url: URL;
  readonly param: string;
  readonly isDocument?: boolean;
}

/** All pictures of one request together. */
const requestLimits = { bytes: 64 * 2 ** 20, timeoutMs: 30_000 };
const stallTimeoutMs = 10_000;
/** Requests whose pictures are fetched at the same time, which bounds the memory for them. */
const requestsAtATime = 4;
const waitMs = 60_000;
/** Content types that servers give to pictures, and to files whose kind they do not know. */
const pictureType = /^(?:image\/|application\/octet-stream|binary\/octet-stream)/i;

/**
 * Fetches pictures from addresses that clients name, which may be made to reach into the network of this machine: only
 * public addresses are connected to, after each redirect too, and size, type and time are limited.
 */
export class RemotePictures {
  readonly #network: Network;
  readonly #memory = new BodyMemory({ bytes: requestsAtATime * requestLimits.bytes, waitMs });

  /** Without `network`: the system's names, and the proxies that the environment names. */
  constructor(network: Partial<Network> = {}) {
    this.#network = { env: process.env, stallTimeoutMs, publicOnly: true, ...network };
  }

  /** The files at `pictures`, in their order. Rejects with AppError, or with `signal`'s reason. */
  async fetchAll(
    pictures: readonly RemotePicture[],
    caller: Caller,
    signal: AbortSignal,
  ): Promise<readonly Uint8Array[]> {
    const room = await this.#memory.claim(caller, requestLimits.bytes, signal);
    const timeout = AbortSignal.timeout(requestLimits.timeoutMs);
    try {
      const files: Uint8Array[] = [];
      let freeBytes = requestLimits.bytes;
      for (const picture of pictures) {
        const mostBytes = Math.min(freeBytes, pictureLimits.fileBytes);
        const file = await this.#fetch(picture, mostBytes, AbortSignal.any([signal, timeout]));
        freeBytes -= file.length;
        files.push(file);
      }
      return files;
    } finally {
      room.release();
    }
  }

  async #fetch(wanted: RemotePicture, mostBytes: number, signal: AbortSignal): Promise<Uint8Array> {
    const { url, param, isDocument = false } = wanted;
    try {
      const { body } = await httpGet(url, { signal }, this.#network);
      try {
        const { statusCode, headers } = body;
        if (statusCode !== 200) throw statusError(url, body);
        const type = headers['content-type'] ?? 'application/octet-stream';
        if (!isDocument && !pictureType.test(type))
          throw new DownloadError('there is no picture at this address');
        if (Number(headers['content-length'] ?? 0) > mostBytes) throw tooLarge(mostBytes);
        return await readBody(body, mostBytes);
      } finally {
        body.destroy();
      }
    } catch (error) {
      if (signal.aborted && !isTimeout(signal.reason)) throw signal.reason;
      const seconds = requestLimits.timeoutMs / 1000;
      const reason = signal.aborted
        ? `it takes longer than ${seconds} s`
        : error instanceof DownloadError
          ? error.message
          : 'the connection broke';
      throw new AppError(
        isDocument ? 'invalid_document' : 'invalid_image',
        `'${param}' cannot be fetched: ${reason}. Send the ${isDocument ? 'document' : 'picture'} itself as a data: URL.`,
        { param, cause: error },
      );
    }
  }
}

async function readBody(body: AsyncIterable<unknown>, mostBytes: number): Promise<Uint8Array> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of body) {
    bytes += (chunk as Buffer).length;
    if (bytes > mostBytes) throw tooLarge(mostBytes);
    chunks.push(chunk as Buffer);
  }
  return Buffer.concat(chunks, bytes);
}

const tooLarge = (mostBytes: number) =>
  new DownloadError(`it is larger than ${Math.floor(mostBytes / 2 ** 20)} MiB`);

const isTimeout = (reason: unknown): boolean =>
  reason instanceof DOMException && reason.name === 'TimeoutError';
