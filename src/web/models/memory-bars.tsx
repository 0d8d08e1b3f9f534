import type { ModelStatusList } from '../api/types.ts';
import { formatBytes } from '../../words/format-bytes.ts';
import { t } from '../words/operator-texts.ts';
import { Bar } from '../ui/controls.tsx';

/** A bar for the main memory that models take of theirs, and one for the GPU's where there is a GPU. */
export function MemoryBars({ memory: { used, budget } }: Pick<ModelStatusList, 'memory'>) {
  const bar = (label: string, part: keyof typeof budget) => (
    <Bar
      label={label}
      value={used[part]}
      max={budget[part]}
      text={t.models.ofBudget(formatBytes(used[part]), formatBytes(budget[part]))}
    />
  );
  return (
    <>
      {bar(t.models.memory, 'ram_bytes')}
      {budget.vram_bytes > 0 && bar(t.models.vram, 'vram_bytes')}
    </>
  );
}
