import { invalidValue } from '../../../errors/errors.ts';
import { formatBytes } from '../../../words/format-bytes.ts';
import { bodyLimitBytes } from '../../attachments/body-limit.ts';
import type { AppDeps } from '../../env.ts';
import { type ItemSource, toKeptItem, toKeptJson } from './load-items.ts';
import type { Item } from '../items/items.ts';
import type { ResponseObject } from '../response-schema.ts';
import type { ResponseItemRow } from '../../../store/tables/response-table.ts';

const recentMs = 3_600_000;
const maxChars = 16 * 1024 * 1024;

interface RecentItem extends ResponseItemRow {
  readonly expiresAtMs: number;
}

/**
 * The latest output items of requests that did not say `store`, kept in memory for an hour. OpenAI's service stores by
 * default, so clients may refer to such an item in their next request instead of sending it again.
 */
export class RecentItems {
  /** By account and id, oldest first. */
  readonly #items = new Map<string, RecentItem>();
  #chars = 0;

  add(accountId: string, items: readonly ResponseItemRow[], nowMs: number): void {
    for (const item of items) {
      this.#items.set(toKey(accountId, item.id), { ...item, expiresAtMs: nowMs + recentMs });
      this.#chars += item.json.length;
    }
    for (const [key, { json, expiresAtMs }] of this.#items) {
      if (this.#chars <= maxChars && expiresAtMs > nowMs) return;
      this.#items.delete(key);
      this.#chars -= json.length;
    }
  }

  find(accountId: string, id: string, nowMs: number): ResponseItemRow | undefined {
    const item = this.#items.get(toKey(accountId, id));
    return item !== undefined && item.expiresAtMs > nowMs ? item : undefined;
  }
}

function toKey(accountId: string, itemId: string): string {
  return `${accountId}\n${itemId}`;
}

const lifeMs = 30 * 24 * 3_600_000;

/** Stores responses for 30 days, and keeps recent items in memory for an hour. */
export class ResponseKeeper {
  readonly #deps: Pick<AppDeps, 'responses' | 'catalog' | 'clock' | 'settings'>;
  readonly #recentItems = new RecentItems();

  constructor(deps: Pick<AppDeps, 'responses' | 'catalog' | 'clock' | 'settings'>) {
    this.#deps = deps;
  }

  /** Everything that requests of the account can refer to now. */
  sourceFor(accountId: string): ItemSource {
    const { responses, clock } = this.#deps;
    const nowMs = clock.nowMs();
    return {
      maxBytes: bodyLimitBytes(this.#deps),
      findResponse: (id) => responses.find(accountId, id, nowMs),
      items: (id, side) => responses.items(id, side),
      findItem: (id) =>
        responses.findItem(accountId, id, nowMs) ?? this.#recentItems.find(accountId, id, nowMs),
    };
  }

  /** Throws invalid_value if the account may store no more. Must be called before anything is computed. */
  checkRoom(accountId: string, store: boolean | undefined): void {
    const { storedResponsesLimitBytes } = this.#deps.settings;
    if (store !== true || this.#deps.responses.keptBytes(accountId) < storedResponsesLimitBytes) return;
    throw invalidValue(
      'store',
      `The stored responses of this account take all of their ${formatBytes(storedResponsesLimitBytes)}. ` +
        "Delete some with DELETE /v1/responses/{id}, or set 'store' to false.",
    );
  }

  /** Keeps a response: on disk if `store` is true, its output in memory if it is undefined, nothing if it is false. */
  keep(
    accountId: string,
    input: readonly Item[],
    response: ResponseObject,
    store: boolean | undefined,
  ): void {
    const { responses, clock } = this.#deps;
    if (store === false) return;
    const nowMs = clock.nowMs();
    const output = response.output.map(toKeptItem);
    if (store === undefined) {
      this.#recentItems.add(accountId, output, nowMs);
      return;
    }
    const items = { input: input.filter((item) => item.type !== 'ignored').map(toKeptItem), output };
    const all = [...items.input, ...items.output];
    responses.insert(
      {
        id: response.id,
        accountId,
        previousId: response.previous_response_id,
        createdAtMs: nowMs,
        expiresAtMs: nowMs + lifeMs,
        itemCount: all.length,
        itemBytes: all.reduce((bytes, { json }) => bytes + Buffer.byteLength(json), 0),
        json: toKeptJson(response),
      },
      items,
    );
  }
}
