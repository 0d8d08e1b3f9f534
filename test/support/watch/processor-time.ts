/** Milliseconds of processor time that this process has taken so far: the same work takes as many on a busy machine. */
export function processorMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}
