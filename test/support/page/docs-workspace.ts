import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { copyFile, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { delimiter, join } from 'node:path';
import { tmpdir } from 'node:os';
import { text } from 'node:stream/consumers';
import { projectDir, type DocsPage, type MarkedBlock } from './docs-pages.ts';
import { compiledCode } from '../server/hearth-process.ts';
import { configFileName, type RunningServer } from '../server/start-server.ts';
import { clipPath } from '../audio/clips.ts';

/** Whether the programs that examples use are on this machine. */
export const canRunExamples: boolean = ['bash', 'curl', 'npm'].every(
  (program) => spawnSync(program, ['--version']).error === undefined,
);

/**
 * A folder in which examples of the pages run as they would in a clone, with `hearth` as a command and speech.wav
 * beside them.
 */
export class DocsWorkspace implements AsyncDisposable {
  readonly #folder: string;
  readonly #server: RunningServer;
  readonly #secondPort: number;

  private constructor(folder: string, server: RunningServer, secondPort: number) {
    this.#folder = folder;
    this.#server = server;
    this.#secondPort = secondPort;
  }

  static async open(server: RunningServer): Promise<DocsWorkspace> {
    const folder = await mkdtemp(join(tmpdir(), 'hearth-docs-'));
    for (const name of ['package.json', 'node_modules', 'scripts', 'src'])
      await symlink(join(projectDir, name), join(folder, name));
    await mkdir(join(folder, 'bin'));
    const cli = join(projectDir, 'src/cli.ts');
    const script = `#!/bin/sh\nexec '${process.execPath}' '${cli}' "$@"\n`;
    await writeFile(join(folder, 'bin/hearth'), script, { mode: 0o755 });
    // An example whose request is refused must fail, although readers see the answer.
    await writeFile(join(folder, '.curlrc'), 'fail-with-body\n');
    await copyFile(clipPath('andrea.wav'), join(folder, 'speech.wav'));
    return new DocsWorkspace(folder, server, await findFreePort());
  }

  /** Writes the files that a page shows. */
  async writeFiles({ blocks }: DocsPage): Promise<void> {
    for (const { mark, text: content } of blocks)
      if (mark.includes('.')) await writeFile(join(this.#folder, mark), this.#atItsAddress(content));
  }

  /** The example's output. Throws when it fails, with all that it said. */
  async run(example: MarkedBlock): Promise<string> {
    const source = this.#atItsAddress(example.text);
    const [program, args] = example.language === 'ts' ? await this.#nodeCommand(source) : bashCommand(source);
    const child = spawn(program, args, {
      cwd: this.#folder,
      env: this.#environment(),
      // A group of its own, so that nothing that it started stays.
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    try {
      const ended = once(child, 'exit') as Promise<[number | null]>;
      const [stdout, stderr, [code]] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
      if (code !== 0) throw new Error(`the example ended with ${code}:\n${stdout}\n${stderr}`);
      return stdout.trim();
    } finally {
      endGroup(child.pid);
    }
  }

  async #nodeCommand(source: string): Promise<[string, string[]]> {
    const path = join(this.#folder, 'example.ts');
    await writeFile(path, source);
    return [process.execPath, [path]];
  }

  /** `content` with the address of the server that runs here. */
  #atItsAddress(content: string): string {
    const { host } = new URL(this.#server.baseUrl);
    return content.replaceAll('127.0.0.1:8080', host).replaceAll('8081', String(this.#secondPort));
  }

  #environment(): NodeJS.ProcessEnv {
    const { apiKey, dataDir } = this.#server;
    return {
      PATH: [join(this.#folder, 'bin'), process.env['PATH']].join(delimiter),
      HOME: this.#folder,
      CURL_HOME: this.#folder,
      ...compiledCode,
      HEARTH_API_KEY: apiKey,
      HEARTH_DATA_DIR: dataDir,
      HEARTH_CONFIG: join(dataDir, configFileName),
    };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await rm(this.#folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

const bashCommand = (source: string): [string, string[]] => ['bash', ['-euo', 'pipefail', '-c', source]];

function endGroup(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // Nothing is left of it.
  }
}

/** A free port below those that a system gives to whoever asks for any: no other program gets it meanwhile. */
async function findFreePort(): Promise<number> {
  for (let port = 20_000 + (process.pid % 10_000); ; port++) {
    const listener = createServer().listen(port, '127.0.0.1');
    const isFree = await once(listener, 'listening').then(
      () => true,
      () => false,
    );
    if (!isFree) continue;
    listener.close();
    await once(listener, 'close');
    return port;
  }
}
