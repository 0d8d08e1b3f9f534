import {
  machineCpu,
  ownCpuSeconds,
  processCpuSeconds,
  processRssBytes,
  processTree,
} from '../figures/proc.ts';

export interface ResourceUse {
  /**
   * Highest resident memory of the server and its child processes, where pages that they share count for each; undefined
   * without its pid.
   */
  readonly peakRssBytes: number | undefined;
  /** CPU time of the server and its child processes; undefined without its pid. */
  readonly serverCpuSeconds: number | undefined;
  /** Share of the machine's CPU time (0..1) that neither the server nor this program used; undefined if unknown. */
  readonly foreignCpuShare: number | undefined;
}

const sampleIntervalMs = 200;

function sumOfTree(
  pid: number | undefined,
  measure: (pid: number) => number | undefined,
): number | undefined {
  if (pid === undefined || measure(pid) === undefined) return undefined;
  return processTree(pid).reduce((sum, one) => sum + (measure(one) ?? 0), 0);
}

/** Watches a server's process and the machine until the returned function is called. */
export function startResourceMonitor(pid: number | undefined): () => ResourceUse {
  const machineBefore = machineCpu();
  const ownBefore = ownCpuSeconds();
  const serverBefore = sumOfTree(pid, processCpuSeconds);
  let peakRssBytes: number | undefined;
  const sample = (): void => {
    const rssBytes = sumOfTree(pid, processRssBytes);
    if (rssBytes !== undefined) peakRssBytes = Math.max(peakRssBytes ?? 0, rssBytes);
  };
  sample();
  const timer = setInterval(sample, sampleIntervalMs);

  return () => {
    clearInterval(timer);
    sample();
    const machineAfter = machineCpu();
    const serverAfter = sumOfTree(pid, processCpuSeconds);
    if (serverBefore === undefined || serverAfter === undefined) {
      return { peakRssBytes, serverCpuSeconds: undefined, foreignCpuShare: undefined };
    }
    const serverCpuSeconds = serverAfter - serverBefore;
    if (machineBefore === undefined || machineAfter === undefined) {
      return { peakRssBytes, serverCpuSeconds, foreignCpuShare: undefined };
    }
    const busy = machineAfter.busySeconds - machineBefore.busySeconds;
    const total = machineAfter.totalSeconds - machineBefore.totalSeconds;
    const foreign = Math.max(0, busy - serverCpuSeconds - (ownCpuSeconds() - ownBefore));
    return { peakRssBytes, serverCpuSeconds, foreignCpuShare: total === 0 ? 0 : foreign / total };
  };
}

/** Share of the machine's CPU time (0..1) that is used while this program waits; undefined if unknown. */
export async function measureIdleCpuShare(durationMs: number): Promise<number | undefined> {
  const before = machineCpu();
  await new Promise((resolve) => setTimeout(resolve, durationMs));
  const after = machineCpu();
  if (before === undefined || after === undefined) return undefined;
  return (after.busySeconds - before.busySeconds) / (after.totalSeconds - before.totalSeconds);
}
