import { statfs } from 'node:fs/promises';
import type { Clock } from '../accounts/types.ts';
import { toStorageTrouble } from '../errors/storage-trouble.ts';
import type { Notices } from '../notices/notices.ts';
import type { Store } from '../store/store.ts';
import { formatBytes } from '../words/format-bytes.ts';
import type { Certificates } from './certificates.ts';

export interface TroubleWatchDeps {
  readonly notices: Pick<Notices, 'tell'>;
  readonly store: Pick<Store, 'checkWritable'>;
  readonly dataDir: string;
  readonly certificates: Pick<Certificates, 'endsAtMs'> | undefined;
  readonly now: Clock;
  readonly onError: (error: unknown) => void;
}

const lookEveryMs = 60_000;
const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
/** With less than this a disk counts as full: the database needs room until somebody has made some. */
const leastFreeBytes = 256 * 2 ** 20;
/** Days before the end of a certificate at which it is told. */
const certificateDays = [3, 14];

/** Looks every minute, and when it is asked to, whether the disk is full and whether the certificate ends soon. */
export class TroubleWatch {
  readonly #deps: TroubleWatchDeps;
  #timer: NodeJS.Timeout | undefined;

  constructor(deps: TroubleWatchDeps) {
    this.#deps = deps;
  }

  start(): void {
    this.#timer = setInterval(() => this.look(), lookEveryMs).unref();
    this.look();
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  /** Nothing before the start, and after the end: the database is not there then. */
  look(): void {
    if (this.#timer === undefined) return;
    Promise.all([this.#lookAtDisk(), this.#lookAtCertificate()]).catch(this.#deps.onError);
  }

  /** Told once a day. */
  async #lookAtDisk(): Promise<void> {
    const { notices, store, dataDir, now } = this.#deps;
    const { bavail, bsize } = await statfs(dataDir);
    if (this.#timer === undefined) return;
    const freeBytes = bavail * bsize;
    const trouble = writeTrouble(store);
    if (trouble === undefined && freeBytes >= leastFreeBytes) return;
    notices.tell(`disk ${Math.floor(now() / dayMs)}`, {
      kind: 'disk.full',
      message: trouble ?? `Only ${formatBytes(freeBytes)} are free on the disk of ${dataDir}.`,
      data: { folder: dataDir, free_bytes: freeBytes },
    });
  }

  async #lookAtCertificate(): Promise<void> {
    const { notices, certificates, now } = this.#deps;
    const endsAtMs = certificates?.endsAtMs();
    if (endsAtMs === undefined) return;
    const days = certificateDays.find((most) => endsAtMs - now() <= most * dayMs);
    if (days === undefined) return;
    const endsAt = new Date(endsAtMs).toISOString();
    notices.tell(`certificate ${endsAt} ${days}`, {
      kind: 'certificate.expiring',
      message: `The TLS certificate ends at ${endsAt}: renew its files, or restart hearth where it made them.`,
      data: { ends_at: endsAt },
    });
  }
}

function writeTrouble(store: TroubleWatchDeps['store']): string | undefined {
  try {
    store.checkWritable();
    return undefined;
  } catch (error) {
    return toStorageTrouble(error)?.message;
  }
}

/** Tells once an hour of a model that cannot be loaded, or that died. */
export function noteFailedModel(
  { notices, now }: Pick<TroubleWatchDeps, 'notices' | 'now'>,
  model: string,
  reason = 'it ended, and is loaded again when it is asked for',
): void {
  notices.tell(`model ${model} ${Math.floor(now() / hourMs)}`, {
    kind: 'model.failed',
    message: (reason.startsWith('The model ') ? reason : `The model ${model} failed: ${reason}`).slice(
      0,
      600,
    ),
    data: { model, reason: reason.slice(0, 500) },
  });
}
