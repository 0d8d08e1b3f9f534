import { writeFileSync } from 'node:fs';

/** When memory runs short the system ends this process rather than the server. It writes no core dump. */
export function standBack(): void {
  for (const [file, value] of [
    ['oom_score_adj', '1000'],
    ['coredump_filter', '0'],
  ] as const) {
    try {
      writeFileSync(`/proc/self/${file}`, value);
    } catch {
      // Not Linux, or not allowed.
    }
  }
}
