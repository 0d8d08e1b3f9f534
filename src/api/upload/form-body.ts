import { mkdtemp, rm } from 'node:fs/promises';
import path from 'node:path';
import { createMiddleware } from 'hono/factory';
import { AppError } from '../../errors/errors.ts';
import { nodeBindings, type AppContext, type AppEnv } from '../env.ts';
import { checkDeclaredLength, refuseEncoded } from '../middleware/body/body-limit.ts';
import { maxOverheadBytes, readForm } from './read-form.ts';
import { overloaded } from '../../errors/unavailable.ts';

/** Most uploaded files on the disk at a time, for one key and in total. */
interface UploadLimits {
  readonly perKey: number;
  readonly all: number;
}

interface Uploader {
  readonly accountId: string;
  readonly keyId: string;
}

/** Most uploads take less time than this. */
const retryAfterMs = 5000;

/** Limits files on the disk. An account never holds more slots than are left free, so others always find some. */
export class UploadSlots {
  readonly #limits: UploadLimits;
  readonly #taken: Uploader[] = [];

  constructor(limits: UploadLimits) {
    this.#limits = limits;
  }

  /** The result of `work`. It takes a slot while it runs; throws server_overloaded if none is free. */
  async use<Result>(uploader: Uploader, work: () => Promise<Result>): Promise<Result> {
    const ofKey = this.#taken.filter(({ keyId }) => keyId === uploader.keyId).length;
    const ofAccount = this.#taken.filter(({ accountId }) => accountId === uploader.accountId).length;
    const free = this.#limits.all - this.#taken.length;
    if (ofKey >= this.#limits.perKey || ofAccount >= free)
      throw overloaded('Too many files are being uploaded or transcribed.', retryAfterMs);
    this.#taken.push(uploader);
    try {
      return await work();
    } finally {
      this.#taken.splice(this.#taken.indexOf(uploader), 1);
    }
  }
}

export interface FormBodyOptions {
  /** Every request gets its own folder in this one. It is removed when the request is answered. */
  readonly uploadsDir: string;
  readonly maxFileBytes: number;
}

/** Puts the fields of a form into the context and its file on disk. Checks size, type and form, in this order. */
export function formBody({ uploadsDir, maxFileBytes }: FormBodyOptions) {
  const slots = new UploadSlots({ perKey: 64, all: 256 });
  return createMiddleware<AppEnv>(async (c, next) => {
    checkDeclaredLength(c, maxFileBytes + maxOverheadBytes);
    const contentType = c.req.header('content-type') ?? '';
    if (!/^multipart\/form-data\s*(?:;|$)/i.test(contentType)) {
      throw new AppError(
        'unsupported_media_type',
        "The body must be a form with a file in it. Send it as 'multipart/form-data'.",
      );
    }
    refuseEncoded(c);
    await slots.use(c.get('principal'), async () => {
      const folder = await mkdtemp(path.join(uploadsDir, 'upload-'));
      try {
        const filePath = path.join(folder, 'file');
        const room = c.get('room');
        const mostBytes = Math.min(maxFileBytes, room?.bytes ?? maxFileBytes);
        const reading = readFormOf(c, { contentType, filePath, maxFileBytes: mostBytes });
        const isTooLarge = (error: unknown) =>
          error instanceof AppError && error.code === 'request_too_large';
        c.set(
          'body',
          await reading.catch((error: unknown) => {
            if (mostBytes < maxFileBytes && isTooLarge(error)) room?.refuse();
            throw error;
          }),
        );
        await next();
      } finally {
        await rm(folder, { recursive: true, force: true });
      }
    });
  });
}

async function readFormOf(c: AppContext, options: Parameters<typeof readForm>[1]) {
  // Node's own stream is used if there is one, because Request.body would wrap it in two more.
  const { incoming } = nodeBindings(c);
  try {
    const source = incoming?.iterator({ destroyOnReturn: false }) ?? c.req.raw.body ?? [];
    return await readForm(source as AsyncIterable<Uint8Array>, options);
  } finally {
    // The rest of a refused form is read and thrown away, so that the connection can be used again.
    incoming?.resume();
  }
}
