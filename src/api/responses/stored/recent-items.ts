import type { ResponseItemRow } from '../../../store/tables/response-table.ts';

const lifeMs = 3_600_000;
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
      this.#items.set(toKey(accountId, item.id), { ...item, expiresAtMs: nowMs + lifeMs });
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
