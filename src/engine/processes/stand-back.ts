import { writeFileSync } from 'node:fs';

/**
 * Makes this process one that serves its parent: it ends with the parent, and leaves `ignored` signals to it, which a
 * terminal or service manager sends to both. When memory runs short the system ends this process rather than the
 * server. It writes no core dump.
 */
export function standBack(ignored: readonly NodeJS.Signals[]): void {
  process.on('disconnect', () => process.exit(0));
  for (const signal of ignored) process.on(signal, () => undefined);
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
