import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';

/** Whether programs can be run on a terminal here. */
export const hasPseudoTerminal: boolean = hasScript();

function hasScript(): boolean {
  try {
    if (execFileSync('script', ['--version'], { encoding: 'utf8' }).includes('util-linux')) return true;
  } catch {
    // Told below.
  }
  console.warn('the terminal is not tested: there is no "script" of util-linux');
  return false;
}

/** A program on a terminal of its own. */
export interface TerminalProgram extends AsyncDisposable {
  /** All that it wrote so far, control sequences included. */
  output(): string;
  type(text: string): void;
  /** The output between the last match and this one; throws when none comes within 30 s. */
  waitFor(text: string | RegExp): Promise<string>;
  /** Its exit code. */
  readonly exited: Promise<number | null>;
}

const waitMs = 30_000;
export const keys = { enter: '\r', interrupt: '\u0003', end: '\u0004', up: '\u001B[A' } as const;

/** Starts `command` with arguments that need no quotes. */
export function openTerminalProgram(
  command: readonly string[],
  options: { cwd: string; env: NodeJS.ProcessEnv },
): TerminalProgram {
  const child = spawn('script', ['-qefc', command.join(' '), '/dev/null'], {
    ...options,
    env: { TERM: 'xterm', ...options.env },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  let output = '';
  let readUpTo = 0;
  let onOutput = (): void => undefined;
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text;
    onOutput();
  });
  // Text typed into a program that has ended is lost.
  child.stdin.on('error', () => undefined);
  const exited = once(child, 'close').then(([code]) => code as number | null);
  return {
    output: () => output,
    type: (text) => void child.stdin.write(text),
    async waitFor(text) {
      const deadlineMs = performance.now() + waitMs;
      for (;;) {
        const rest = output.slice(readUpTo);
        const found = typeof text === 'string' ? rest.indexOf(text) : rest.search(text);
        if (found !== -1) {
          const length = typeof text === 'string' ? text.length : (text.exec(rest)?.[0].length ?? 0);
          readUpTo += found + length;
          return rest.slice(0, found + length);
        }
        const leftMs = deadlineMs - performance.now();
        if (leftMs <= 0) throw new Error(`${String(text)} did not come; the terminal shows:\n${output}`);
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, leftMs);
          onOutput = () => {
            clearTimeout(timer);
            resolve();
          };
        });
      }
    },
    exited,
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL');
      await exited;
    },
  };
}
