import { spawn, spawnSync } from 'node:child_process';
import { text } from 'node:stream/consumers';

/** A program's output. Throws where it fails; `input` is its standard input. */
export async function run(
  program: string,
  args: readonly string[],
  { env = process.env, input }: { env?: NodeJS.ProcessEnv; input?: string | Buffer | undefined } = {},
): Promise<string> {
  const child = spawn(program, args, { env, stdio: ['pipe', 'pipe', 'pipe'] });
  child.stdin.on('error', () => {}); // It ended without reading.
  child.stdin.end(input);
  const [output, errors, exitCode] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    new Promise<number | null>((resolve, reject) => child.on('error', reject).on('close', resolve)),
  ]);
  if (exitCode === 0) return output;
  throw new Error(`${program} ${args.join(' ')} ends with ${exitCode}:\n${output}${errors}`);
}

/** hearth in a container, as compose.yaml runs it, under a project name and at a port of its own. */
export class Container implements AsyncDisposable {
  readonly #project = `hearth-try-${process.pid}`;
  readonly #files: readonly string[];
  readonly #env: NodeJS.ProcessEnv;

  constructor(image: string, files: readonly string[]) {
    this.#files = files.flatMap((file) => ['-f', file]);
    this.#env = { ...process.env, IMAGE: image, ADDRESS: '127.0.0.1:0' };
  }

  /** Runs `docker compose` with these words. */
  compose(
    words: readonly string[],
    { env, input }: { env?: NodeJS.ProcessEnv; input?: string | Buffer | undefined } = {},
  ): Promise<string> {
    const all = ['compose', ...this.#files, '-p', this.#project, ...words];
    return run('docker', all, { env: { ...this.#env, ...env }, input });
  }

  /** Runs a command inside. */
  exec(command: readonly string[], input?: string | Buffer): Promise<string> {
    return this.compose(['exec', '-T', 'hearth', ...command], { input });
  }

  /** Starts it with these variables as well, and waits until its own health check succeeds. */
  async start(env: NodeJS.ProcessEnv = {}): Promise<void> {
    await this.compose(['up', '--detach', '--no-build', '--wait', '--wait-timeout', '120'], { env });
  }

  async stop(): Promise<void> {
    await this.compose(['stop']);
  }

  /** The address at which this machine reaches it. */
  async address(): Promise<string> {
    return `http://${(await this.compose(['port', 'hearth', '8080'])).trim()}`;
  }

  logs(): Promise<string> {
    return this.compose(['logs', '--no-color', '--no-log-prefix']);
  }

  /** A field of Docker's description of it, such as `.State.ExitCode`. */
  async inspect(format: string): Promise<string> {
    const id = (await this.compose(['ps', '--all', '--quiet'])).trim();
    return (await run('docker', ['inspect', '--format', `{{${format}}}`, id])).trim();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.compose(['down', '--volumes', '--timeout', '1']);
  }
}

/** Whether a program can be started on this machine. */
export const has = (program: string): boolean => spawnSync(program, ['-version']).error === undefined;
