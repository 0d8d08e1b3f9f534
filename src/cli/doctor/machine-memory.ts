import os from 'node:os';

/** Main memory of this machine, or of the container that this runs in, in bytes. */
export function machineMemoryBytes(): number {
  // Without a limit it is 0 or larger than any machine's.
  const constrainedBytes = process.constrainedMemory();
  return constrainedBytes > 0 ? Math.min(constrainedBytes, os.totalmem()) : os.totalmem();
}
