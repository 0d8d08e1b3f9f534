import type { Batch } from '../api/types.ts';
import { t } from '../words/operator-texts.ts';

/** How many of its lines have an answer, and how many never will. */
export function LineBar({ batch: { request_counts: counts } }: { batch: Batch }) {
  const share = (lines: number) => ({ width: `${(100 * lines) / Math.max(1, counts.total)}%` });
  return (
    <div class="lines">
      {t.batches.done(counts.completed, counts.total)}
      <div class="track" aria-hidden="true">
        <i class="fill" style={share(counts.completed)} />
        <i class="fill lost" style={share(counts.failed)} />
      </div>
    </div>
  );
}
