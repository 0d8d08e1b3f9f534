import { writeFileSync } from 'node:fs';

/** Where memory runs short, the system is to end this process and not the server; and no core is to be dumped. */
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
