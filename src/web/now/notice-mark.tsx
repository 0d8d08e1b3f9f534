import { useEffect } from 'preact/hooks';
import type { Account, ApiKey, ListOf, ModelStatusList } from '../api/types.ts';
import { outagesOf } from '../models/outages.ts';
import { useAdmin } from '../state/asked.ts';
import { t } from '../words/operator-texts.ts';
import { notices, present, standing, type Notice } from './standing.ts';
import './notice-mark.css';

const pollMs = 30_000;
/** As many, and as old, as the view itself is told of. */
const path = 'notices?since=7d&limit=20';

/** Learns which accounts and keys there are, anew with each new notice; nothing is asked while there is none. */
function usePresent(): void {
  const newest = notices.value[0]?.id;
  const isNeeded = newest !== undefined;
  const accounts = useAdmin<ListOf<Account>>(isNeeded ? 'accounts' : undefined, pollMs, newest).value?.data;
  const keys = useAdmin<ListOf<ApiKey>>(isNeeded ? 'keys' : undefined, pollMs, newest).value?.data;
  useEffect(() => {
    if (accounts === undefined || keys === undefined) return;
    const valid = keys.filter(({ state }) => state === 'active');
    present.value = new Set([...accounts, ...valid].map(({ id }) => id));
  }, [accounts, keys]);
}

/** How many notices stand and how much is down, beside the link to them; nothing where all is well. */
export function NoticeMark() {
  const { value } = useAdmin<ListOf<Notice>>(path, pollMs);
  const models = useAdmin<ModelStatusList>('models', pollMs);
  useEffect(() => void (value !== undefined && (notices.value = value.data)), [value]);
  usePresent();
  const { away, failed } = outagesOf(models.value?.data ?? []);
  // A model that failed is told of once.
  const isCounted = ({ type, data }: Notice) =>
    type !== 'model.failed' || failed.every(({ id }) => id !== data['model']);
  const told = standing.value.filter(isCounted).length;
  const outages = away.length + failed.length;
  return told + outages === 0 ? null : (
    <small class="notice-mark" role="img" aria-label={t.now.mark(told, outages)}>
      {told + outages}
    </small>
  );
}
