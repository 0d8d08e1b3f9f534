import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { atEnd } from '../at-end.ts';
import { giveVerdicts } from './known-verdicts.ts';
import { giveMachineSpeed } from './machine-speed.ts';
import { checkFetchedResponses, uncheckResponses } from '../openapi/checked-fetch.ts';

/** The configuration file of a server that was given one, in its data folder. */
export const configFileName = 'test-config.yaml';
const cliPath = fileURLToPath(new URL('../../../src/cli.ts', import.meta.url));
const readyPattern = /http:\/\/127\.0\.0\.1:(\d+)\/v1/;
/** False in scripts that start a server for themselves. */
const isTest = process.env['VITEST'] !== undefined;
const startTimeoutMs = 60_000;
const stopTimeoutMs = 45_000;

/** Keys of the configuration file; see docs/settings.md. */
export interface ServerConfig {
  readonly demo?: boolean;
  readonly shutdownGrace?: string;
  readonly ffmpeg?: string;
  readonly audioLengthLimit?: string;
  readonly audioBodyLimit?: string;
  readonly loadTimeout?: string;
  readonly memory?: string;
  readonly cacheMemory?: string | number;
  readonly gpuMemory?: string | number;
  readonly isolation?: 'process' | 'none';
  readonly models?: readonly { readonly id: string; readonly [key: string]: unknown }[];
  readonly ollamaKey?: string;
  readonly voices?: Readonly<Record<string, string>>;
  readonly oidc?: object;
  readonly mcp?: Readonly<Record<string, object>>;
  readonly prices?: Readonly<Record<string, object>>;
  readonly plans?: Readonly<
    Record<string, { readonly limits: object; readonly batch?: object; readonly models?: object }>
  >;
}

export interface StartServerOptions {
  readonly modelsDirs: readonly string[];
  /** Kept when given; by default a temporary one that goes away with the server. */
  readonly dataDir?: string;
  /** Value of HEARTH_API_KEY; null leaves it unset, so that the server makes a key of its own. */
  readonly apiKey?: string | null;
  /** The content of the configuration file. */
  readonly config?: ServerConfig;
  /** The program's file; default: the one from source. */
  readonly program?: string | undefined;
  /** Whether it has to try models that an earlier server has tried. */
  readonly triesModels?: boolean;
  /** Further arguments of `hearth serve`. */
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

export interface ServerExit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

export interface RunningServer {
  /** Ends in /v1, as the OpenAI client wants it. */
  readonly baseUrl: string;
  /** The server's HEARTH_API_KEY; '' when that was left out. */
  readonly apiKey: string;
  readonly pid: number;
  readonly dataDir: string;
  /** Resolves once the process is gone. */
  readonly exited: Promise<ServerExit>;
  stdout(): string;
  stderr(): string;
  /** SIGTERM, or SIGKILL when it has not ended after 45 s; resolves once the process is gone. */
  stop(): Promise<ServerExit>;
  /** SIGKILL; resolves once the process is gone. */
  kill(): Promise<ServerExit>;
}

/** Those that run, with the folders that go away with them: none of them must outlive the test process. */
const running = new Map<ChildProcess, string | undefined>();
atEnd(() => {
  for (const [child, temporaryDir] of running) {
    child.kill('SIGKILL');
    if (temporaryDir !== undefined) rmSync(temporaryDir, { recursive: true, force: true });
  }
});

/**
 * The real server as a process of its own on a free port, once it accepts connections. Each response that fetch gets
 * from it in a test is checked against the OpenAPI document of its program.
 */
export async function startServer(options: StartServerOptions): Promise<RunningServer> {
  const program = options.program ?? cliPath;
  const ownDataDir = options.dataDir === undefined;
  const dataDir = options.dataDir ?? (await mkdtemp(join(tmpdir(), 'hearth-data-')));
  await giveMachineSpeed(dataDir);
  const keepVerdicts =
    ownDataDir && options.program === undefined && options.triesModels !== true
      ? giveVerdicts(dataDir, options)
      : () => undefined;
  const apiKey = options.apiKey === undefined ? 'hearth-test-key-0123456789' : options.apiKey;
  const args = options.modelsDirs.flatMap((directory) => ['--models-dir', directory]);
  if (options.config !== undefined) {
    // JSON is YAML too.
    await writeFile(join(dataDir, configFileName), JSON.stringify(options.config));
    args.push('--config', join(dataDir, configFileName));
  }
  const child = spawn(
    process.execPath,
    [program, 'serve', '--port', '0', '--data-dir', dataDir, ...args, ...(options.args ?? [])],
    {
      // Not the checkout, where the developer may keep a hearth.yaml.
      cwd: dataDir,
      env: {
        ...environmentOfTests(),
        ...(apiKey === null ? {} : { HEARTH_API_KEY: apiKey }),
        ...options.env,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  );
  running.set(child, ownDataDir ? dataDir : undefined);
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  const exited = waitForExit(child, keepVerdicts, ownDataDir ? dataDir : undefined);

  const port = await waitForPort(child, () => `${stdout}\n${stderr}`);
  const origin = `http://127.0.0.1:${port}`;
  child.once('close', () => uncheckResponses(origin));
  if (isTest) await checkFetchedResponses(origin, program);
  return {
    baseUrl: `${origin}/v1`,
    apiKey: apiKey ?? '',
    pid: child.pid ?? 0,
    dataDir,
    exited,
    stdout: () => stdout,
    stderr: () => stderr,
    async stop() {
      const force = setTimeout(() => child.kill('SIGKILL'), stopTimeoutMs);
      child.kill('SIGTERM');
      return exited.finally(() => clearTimeout(force));
    },
    async kill() {
      child.kill('SIGKILL');
      return exited;
    },
  };
}

/** The environment without the settings of a hearth that the developer may be running. */
function environmentOfTests(): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('HEARTH_')));
}

async function waitForExit(
  child: ChildProcess,
  keepVerdicts: () => void,
  temporaryDir: string | undefined,
): Promise<ServerExit> {
  // 'close' comes after the last output was read, 'exit' may come before it.
  const [code, signal] = (await once(child, 'close')) as [number | null, NodeJS.Signals | null];
  running.delete(child);
  keepVerdicts();
  if (temporaryDir !== undefined) await rm(temporaryDir, { recursive: true, force: true });
  return { code, signal };
}

async function waitForPort(child: ChildProcess, output: () => string): Promise<string> {
  const deadline = Date.now() + startTimeoutMs;
  while (Date.now() < deadline) {
    const port = readyPattern.exec(output())?.[1];
    if (port !== undefined) return port;
    if (child.exitCode !== null || child.signalCode !== null) break;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  child.kill('SIGKILL');
  throw new Error(`the server did not start; its output:\n${output()}`);
}
