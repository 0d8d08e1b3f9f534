import { machineCpu, ownCpuSeconds, processCpuSeconds, processRssBytes } from './proc.ts';

export interface ResourceUse {
  /** Highest resident memory of the server; undefined without its pid. */
  readonly peakRssBytes: number | undefined;
  /** CPU time of the server; undefined without its pid. */
  readonly serverCpuSeconds: number | undefined;
  /** Share of the machine's CPU time (0..1) that neither the server nor this program used; undefined if unknown. */
  readonly foreignCpuShare: number | undefined;
}

const sampleIntervalMs = 200;

/** Watches a server's process and the machine until the returned function is called. */
export function startResourceMonitor(pid: number | undefined): () => ResourceUse {
  const machineBefore = machineCpu();
  const ownBefore = ownCpuSeconds();
  const serverBefore = pid === undefined ? undefined : processCpuSeconds(pid);
  let peakRssBytes: number | undefined;
  const sample = (): void => {
    const rssBytes = pid === undefined ? undefined : processRssBytes(pid);
    if (rssBytes !== undefined) peakRssBytes = Math.max(peakRssBytes ?? 0, rssBytes);
  };
  sample();
  const timer = setInterval(sample, sampleIntervalMs);

  return () => {
    clearInterval(timer);
    sample();
    const machineAfter = machineCpu();
    const serverAfter = pid === undefined ? undefined : processCpuSeconds(pid);
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
