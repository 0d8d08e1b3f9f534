import { signal } from '@preact/signals';
import { newId } from '../../conversations/conversation.ts';

/** A tab that found messages of this chat's queue in its storage asks the others whether they have them. */
type Told =
  | { readonly from: string; readonly ids: readonly string[] }
  | { readonly to: string; readonly heldIds: readonly string[] };

/** As long as the others have to answer. */
const answerMs = 300;

/** Whether the queue that this tab found in its storage is its own: a browser that duplicates a tab copies that. */
export const isQueueOwn = signal(true);

/**
 * Has one tab keep the messages that several found in their storages. `held` tells the ids of those here, and `drop` removes
 * those that are another tab's.
 */
export function claimQueue(held: () => readonly string[], drop: (ids: readonly string[]) => void): void {
  const own = newId();
  const others = new BroadcastChannel('hearth-next-messages');
  const tell = (told: Told) => others.postMessage(told);
  others.addEventListener('message', ({ data }: MessageEvent<Told>) => {
    if ('heldIds' in data) {
      if (data.to === own) drop(data.heldIds);
      return;
    }
    const heldIds = held().filter((id) => data.ids.includes(id));
    // Several tabs may ask at once, as after a restart of the browser: the one whose id sorts first keeps the messages.
    if (heldIds.length > 0 && (isQueueOwn.value || own < data.from)) tell({ to: data.from, heldIds });
  });
  const ids = held();
  if (ids.length === 0) return;
  isQueueOwn.value = false;
  tell({ from: own, ids });
  setTimeout(() => (isQueueOwn.value = true), answerMs);
}
