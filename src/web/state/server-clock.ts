import { answeredAtMs, patienceMs } from '../api/connection.ts';
import { useNow } from './polled.ts';

/**
 * The time for figures that are counted on from the server's, anew every `everyMs` while `isOn`. It stands still once
 * that is silent for longer than the page waits before it looks: nobody knows then what has become of them.
 */
export const useServerClock = (everyMs: number, isOn?: boolean): number =>
  Math.min(useNow(everyMs, isOn), answeredAtMs + patienceMs);
