import { parentPort, workerData } from 'node:worker_threads';

const measureMs = 400;
/** Bytes read at a time: so few that another thread rarely interrupts a slice; the median ignores slices where one did. */
const sliceBytes = 4 * 2 ** 20;
const filling = 7;
const absent = 1;

/** Bytes per second that this thread reads from memory: the median over slices of a buffer of `bufferBytes` bytes. */
function measure(bufferBytes: number): number {
  // Filled, because pages that were never written are all the same page, which is in the cache.
  const buffer = Buffer.alloc(bufferBytes, filling);
  const rates: number[] = [];
  const endMs = performance.now() + measureMs;
  for (let from = 0; performance.now() < endMs; from = (from + sliceBytes) % bufferBytes) {
    const slice = buffer.subarray(from, from + sliceBytes);
    const startMs = performance.now();
    // The fastest way to read in JavaScript: it looks at 16 bytes or more in one step.
    slice.indexOf(absent);
    rates.push(slice.length / ((performance.now() - startMs) / 1000));
  }
  return rates.toSorted((a, b) => a - b)[Math.floor(rates.length / 2)] ?? 0;
}

// oxlint-disable-next-line unicorn/require-post-message-target-origin -- threads have no origins
parentPort?.postMessage(measure(workerData as number));
