/** Callbacks that wait for a turn of the event loop, in the order in which they came. */
const waiting: (() => void)[] = [];

/**
 * Resolves in a later turn of the event loop, one caller per turn: however many works have long parts, other work waits
 * for one part, not for one of each.
 */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    waiting.push(resolve);
    if (waiting.length === 1) setImmediate(beginNext);
  });
}

function beginNext(): void {
  const begin = waiting.shift();
  // Set from within a callback of setImmediate, so it runs in the next turn.
  if (waiting.length > 0) setImmediate(beginNext);
  begin?.();
}
