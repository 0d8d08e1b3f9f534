import { useEffect } from 'preact/hooks';
import type { ListOf, ModelStatusList } from '../api/types.ts';
import { outagesOf } from '../models/outages.ts';
import { useAdmin } from '../state/asked.ts';
import { t } from '../words/operator-texts.ts';
import { changes, isHidden, notices, standing, type Notice } from './standing.ts';
import './notice-mark.css';

const pollMs = 30_000;
/** As many, and as old, as the view itself is told of. */
const path = 'notices?since=7d&limit=20';

/** How many notices stand and how much is down, beside the link to them; nothing where all is well. */
export function NoticeMark() {
  const { value } = useAdmin<ListOf<Notice>>(path, pollMs, changes.value);
  const models = useAdmin<ModelStatusList>('models', pollMs);
  useEffect(() => void (value !== undefined && (notices.value = value.data)), [value]);
  const { away, failed } = outagesOf(models.value?.data ?? []);
  // A model that failed is told of once.
  const isCounted = (one: Notice) =>
    !isHidden(one) && (one.type !== 'model.failed' || failed.every(({ id }) => id !== one.data['model']));
  const told = standing.value.filter(isCounted).length;
  const outages = away.length + failed.length;
  return told + outages === 0 ? null : (
    <small class="notice-mark" role="img" aria-label={t.now.mark(told, outages)}>
      {told + outages}
    </small>
  );
}
