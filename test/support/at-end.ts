/** Work to be done when this worker of the tests, or a script, ends; vitest ends its workers by SIGTERM. */
const tasks: (() => void)[] = [];

export function atEnd(task: () => void): void {
  tasks.push(task);
}

function runAll(): void {
  for (const task of tasks.splice(0)) task();
}

process.once('exit', runAll);
process.once('SIGTERM', () => {
  runAll();
  process.kill(process.pid, 'SIGKILL');
});
