import { useEffect } from 'preact/hooks';
import type { ListOf } from '../api/types.ts';
import { useAdmin } from '../state/asked.ts';
import { notices, standing, type Notice } from './standing.ts';
import './notice-mark.css';

const pollMs = 30_000;
/** As many, and as old, as the view itself is told of. */
const path = 'notices?since=7d&limit=20';

/** How many notices stand, beside what leads to them; nothing where none does. */
export function NoticeMark() {
  const { value } = useAdmin<ListOf<Notice>>(path, pollMs);
  useEffect(() => void (value !== undefined && (notices.value = value.data)), [value]);
  const count = standing.value.length;
  return count === 0 ? null : (
    <small class="notice-mark" role="img" aria-label={count === 1 ? '1 notice' : `${count} notices`}>
      {count}
    </small>
  );
}
