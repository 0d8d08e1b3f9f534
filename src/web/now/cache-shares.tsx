import type { UsageList } from '../api/types.ts';
import { usePolled } from '../state/polled.ts';
import { adminJson } from '../state/session.ts';
import { t } from '../operator-texts.ts';
import { Bar } from '../ui/controls.tsx';
import { toCount } from '../words.ts';

const pollMs = 30_000;
const mostKeys = 5;

/** How much of their prompts the keys that sent most within a day found in the cache; nothing where none sent any. */
export function CacheShares() {
  const usage = usePolled((signal) => adminJson<UsageList>('usage?by=key&since=1d', { signal }), [], pollMs);
  const keys = (usage.value?.data ?? [])
    .filter(({ prompt_tokens: tokens }) => tokens > 0)
    .toSorted((a, b) => b.prompt_tokens - a.prompt_tokens)
    .slice(0, mostKeys);
  if (keys.length === 0) return null;
  return (
    <section class="card">
      <h2>{t.now.cached}</h2>
      {keys.map(({ group, label, prompt_tokens: all, cached_tokens: cached }) => (
        <Bar
          key={group}
          label={label}
          value={cached}
          max={all}
          text={t.now.share(toCount(cached), toCount(all))}
        />
      ))}
    </section>
  );
}
