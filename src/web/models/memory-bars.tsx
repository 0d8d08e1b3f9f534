import type { ModelStatusList } from '../api/types.ts';
import { formatBytes } from '../../words/format-bytes.ts';
import { t } from '../operator-texts.ts';
import { Bar } from '../ui/controls.tsx';

/** What models take of the memory that they may have, and of the GPU's where there is one. */
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
