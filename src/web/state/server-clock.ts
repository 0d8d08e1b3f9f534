import { answeredAtMs, patienceMs } from '../api/connection.ts';
import { useNow } from './polled.ts';

/**
 * The time until which figures are counted on that the server has told. It stands still once that is silent for longer
 * than the page waits before it looks: nobody knows then what has become of them.
 */
export const toldUntilMs = (nowMs = Date.now()): number => Math.min(nowMs, answeredAtMs + patienceMs);

/** `toldUntilMs`, anew every `everyMs` while `isOn`. */
export const useServerClock = (everyMs: number, isOn?: boolean): number => toldUntilMs(useNow(everyMs, isOn));
