import { createId, webhookSecret } from '../accounts/secrets.ts';
import type { Clock } from '../accounts/types.ts';
import type { Network } from '../catalog/download/http/http-get.ts';
import { toStorageTrouble } from '../errors/storage-trouble.ts';
import type { Store } from '../store/store.ts';
import type { DeliveryRow, ListedNoticeRow, NoticeRow } from '../store/tables/notice-table.ts';
import type { Log } from '../telemetry/log.ts';
import { messageOf } from '../words/describe-error.ts';
import { postSigned, toSecretBytes, type Webhook } from './webhook.ts';

export type NoticeKind =
  | 'budget.warning'
  | 'budget.exhausted'
  | 'disk.full'
  | 'model.failed'
  | 'certificate.expiring';

/** News that somebody should know. It holds no secret and nothing of a prompt. */
export interface Fact {
  readonly kind: NoticeKind;
  /** One line for people. */
  readonly message: string;
  readonly data: Readonly<Record<string, unknown>>;
  /** Whom it concerns beside the operator. */
  readonly accountId?: string | undefined;
}

export interface Notice extends Omit<ListedNoticeRow, 'data'> {
  readonly data: unknown;
}

export interface NoticesDeps {
  readonly store: Store;
  readonly now: Clock;
  readonly log: Pick<Log, 'warn' | 'error'>;
  /** Where the operator is told of everything; undefined: nowhere. */
  readonly operator: Webhook | undefined;
  /** For tests; default: the system's names, and the proxies that the environment names. */
  readonly network?: Partial<Network>;
}

const timeoutMs = 10_000;
const lookEveryMs = 5000;
/** Sent at the same time. */
const atATime = 4;
const mostWaiting = 1000;
/** Told while the database cannot be written. */
const mostUnwritten = 100;
const firstWaitMs = 5000;
const longestWaitMs = 12 * 3_600_000;
/** The last one comes 46 hours after the first. */
const mostTries = 12;

/** The wait after the first try, the second, and so on: 5 s, 15 s, 45 s … 12 h. */
const waitAfter = (tries: number) => Math.min(firstWaitMs * 3 ** tries, longestWaitMs);

/**
 * Tells the operator, and accounts that name an address, the news that they should know: once for each occasion. A
 * notice is a row until it was taken, so a crash loses none; a try is counted before it is made, so one sends no storm
 * either.
 */
export class Notices {
  readonly #deps: NoticesDeps;
  readonly #network: Network;
  readonly #stopping = new AbortController();
  /** Those that could not be written, by occasion: a full disk is told of nevertheless. */
  readonly #unwritten = new Map<string, { readonly row: NoticeRow; isSent: boolean }>();
  #timer: NodeJS.Timeout | undefined;
  #sending: Promise<void> | undefined;
  /** There is something new since the last look. */
  #isWoken = false;

  constructor(deps: NoticesDeps) {
    this.#deps = deps;
    this.#network = { env: process.env, stallTimeoutMs: timeoutMs, ...deps.network };
  }

  /** Tells a fact in the transaction under way, unless its occasion was told before. */
  note(occasion: string, toFact: () => Fact): void {
    const { store } = this.#deps;
    if (store.notices.has(occasion)) return;
    this.#write(this.#toRow(occasion, toFact()));
    if (this.#timer !== undefined) setImmediate(() => this.#wake());
  }

  /** Tells a fact, unless its occasion was told before. Where it cannot be written it goes to the operator at least. */
  tell(occasion: string, fact: Fact): void {
    if (this.#unwritten.has(occasion)) return;
    try {
      this.#deps.store.immediate(() => this.note(occasion, () => fact));
    } catch (error) {
      if (toStorageTrouble(error) === undefined) throw error;
      if (this.#unwritten.size < mostUnwritten)
        this.#unwritten.set(occasion, { row: this.#toRow(occasion, fact), isSent: false });
      if (this.#timer !== undefined) this.#wake();
    }
  }

  /** The newest first. */
  list({ fromMs = 0, limit = 100 }: { fromMs?: number | undefined; limit?: number | undefined }): Notice[] {
    const { store, now } = this.#deps;
    return store.notices
      .list(fromMs, limit, now())
      .map((row) => ({ ...row, data: JSON.parse(row.data) as unknown }));
  }

  start(): void {
    this.#timer = setInterval(() => this.#wake(), lookEveryMs).unref();
    this.#wake();
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer);
    this.#timer = undefined;
    this.#stopping.abort();
    await this.#sending;
  }

  #toRow(occasion: string, { kind, message, data, accountId }: Fact): NoticeRow {
    return {
      id: createId('ntc'),
      occasion,
      kind,
      accountId: accountId ?? null,
      atMs: this.#deps.now(),
      message,
      data: JSON.stringify(data),
    };
  }

  #write(row: NoticeRow, isSent = false): void {
    const { store, operator, now } = this.#deps;
    const { id, accountId } = row;
    store.notices.insert(row);
    if (operator !== undefined && !isSent) store.notices.addDelivery(id, '', now(), mostWaiting);
    if (accountId !== null && store.accounts.byId(accountId)?.webhook)
      store.notices.addDelivery(id, accountId, now(), mostWaiting);
  }

  #wake(): void {
    this.#isWoken = true;
    this.#sending ??= this.#send()
      .catch((err: unknown) => {
        if (!this.#stopping.signal.aborted) this.#deps.log.warn({ err }, 'notices cannot be sent now');
      })
      .finally(() => {
        this.#sending = undefined;
        if (this.#isWoken && this.#timer !== undefined) this.#wake();
      });
  }

  async #send(): Promise<void> {
    const { store, now } = this.#deps;
    this.#isWoken = false;
    for (const [occasion, unwritten] of this.#unwritten) await this.#sendUnwritten(occasion, unwritten);
    while (!this.#stopping.signal.aborted) {
      const due = store.notices.due(now(), longestWaitMs, atATime);
      if (due.length === 0) return;
      await Promise.all(due.map((delivery) => this.#deliver(delivery)));
    }
  }

  async #sendUnwritten(
    occasion: string,
    unwritten: { readonly row: NoticeRow; isSent: boolean },
  ): Promise<void> {
    const { store, operator } = this.#deps;
    try {
      store.immediate(() => this.#write(unwritten.row, unwritten.isSent));
      this.#unwritten.delete(occasion);
    } catch (error) {
      if (toStorageTrouble(error) === undefined) throw error;
      if (operator === undefined || unwritten.isSent) return;
      await this.#post(operator, unwritten.row);
      unwritten.isSent = true;
    }
  }

  async #deliver(delivery: DeliveryRow): Promise<void> {
    const { store, now, log } = this.#deps;
    const webhook = this.#webhookOf(delivery);
    // A process that died in the last try could not end it.
    if (webhook === undefined || delivery.tries >= mostTries) return store.notices.endDelivery(delivery);
    store.notices.postpone(delivery, now() + waitAfter(delivery.tries));
    try {
      await this.#post(webhook, delivery);
    } catch (error) {
      if (this.#stopping.signal.aborted) return;
      const tries = delivery.tries + 1;
      // An address may hold a secret in its path.
      const fields = { notice: delivery.id, host: webhook.url.host, tries, reason: messageOf(error) };
      log.warn(fields, tries < mostTries ? 'a notice was not taken' : 'a notice was given up');
      if (tries < mostTries) return;
    }
    store.notices.endDelivery(delivery);
  }

  #webhookOf({ recipient, webhook }: DeliveryRow): Webhook | undefined {
    if (recipient === '') return this.#deps.operator;
    if (webhook === null) return undefined;
    const secret = toSecretBytes(webhookSecret(this.#deps.store.readSigningKey(), recipient, webhook));
    return secret && { url: new URL(webhook), secret, mayBeLocal: false };
  }

  #post(webhook: Webhook, { id, kind, accountId, atMs, message, data }: NoticeRow): Promise<void> {
    const body = JSON.stringify({
      type: kind,
      timestamp: new Date(atMs).toISOString(),
      data: { message, account_id: accountId, ...(JSON.parse(data) as object) },
    });
    const signal = AbortSignal.any([this.#stopping.signal, AbortSignal.timeout(timeoutMs)]);
    return postSigned(webhook, id, body, signal, this.#network);
  }
}
