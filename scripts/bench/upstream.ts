import { fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { quantile } from '../../src/cli/bench/statistics.ts';
import { medianMs, worstGapMs, type AskedServer } from './upstream/streams.ts';
import { startServer, type RunningServer } from '../../test/support/server/start-server.ts';

const help = `Measures what it costs to have hearth in front of a server that runs models.

Usage: node scripts/bench/upstream.ts [--url URL [--model ID] [-- options of npm run bench]]

Without --url: the hop itself, in front of a server that computes nothing. Answers of one token, direct and through
hearth in turns, and how many streams at 20 tokens a second hearth carries before their p99 gap doubles.
With --url: scripts/bench/server.ts on that server and on hearth in front of it, in turns.

  --url URL       base URL of a running server, such as http://127.0.0.1:8080/v1
  --model ID      what the model is called there
  --requests N    answers of one token per turn (200)
  --streams LIST  streams at a time (64,128,256,512,1024)
`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    url: { type: 'string' },
    model: { type: 'string', default: 'model' },
    requests: { type: 'string', default: '200' },
    streams: { type: 'string', default: '64,128,256,512,1024' },
    help: { type: 'boolean', default: false },
  },
});

if (values.help) process.stdout.write(help);
else if (values.url === undefined)
  await measureHop(Number(values.requests), values.streams.split(',').map(Number));
else await compareWithServer(values.url, values.model, positionals);

/** A hearth that has the models in `names` run at `url`. */
async function startHearth(url: string, names: readonly string[]): Promise<RunningServer> {
  return await startServer({
    modelsDirs: [],
    config: { demo: false, models: names.map((id) => ({ id, upstream: { url, concurrency: 10_000 } })) },
    // One line per request would be most of the server's work.
    args: ['--log-level', 'warn'],
  });
}

async function measureHop(requests: number, streamCounts: readonly number[]): Promise<void> {
  const paced = fork(fileURLToPath(new URL('upstream/paced-server.ts', import.meta.url)));
  const [port] = (await once(paced, 'message')) as [number];
  const direct: AskedServer = { baseUrl: `http://127.0.0.1:${port}/v1`, key: 'none' };
  const hearth = await startHearth(direct.baseUrl, ['pace-0', 'pace-50']);
  const through: AskedServer = { baseUrl: hearth.baseUrl, key: hearth.apiKey };
  try {
    for (const server of [direct, through]) await medianMs(server, requests);
    const differences: number[] = [];
    for (let turn = 0; turn < 5; turn++) {
      const [directMs, throughMs] = [await medianMs(direct, requests), await medianMs(through, requests)];
      differences.push(throughMs - directMs);
      print(`one token: direct ${directMs.toFixed(2)} ms, through hearth ${throughMs.toFixed(2)} ms`);
    }
    print(`the hop takes ${(quantile(differences, 0.5) ?? 0).toFixed(2)} ms at the median`);
    for (const streams of streamCounts) {
      const [directMs, throughMs] = [await worstGapMs(direct, streams), await worstGapMs(through, streams)];
      print(
        `${streams} streams: p99 gap direct ${directMs.toFixed(0)} ms, through hearth ${throughMs.toFixed(0)} ms`,
      );
    }
  } finally {
    await hearth.stop();
    paced.disconnect();
  }
}

async function compareWithServer(url: string, model: string, options: readonly string[]): Promise<void> {
  const hearth = await startHearth(url, [model]);
  try {
    const servers = ['--url', url, '--url', hearth.baseUrl, '--name', 'direct', '--name', 'through hearth'];
    const bench = fileURLToPath(new URL('server.ts', import.meta.url));
    const child = spawn(
      process.execPath,
      [
        bench,
        ...servers,
        '--own-prompts',
        '--model',
        model,
        '--key',
        'none',
        '--key',
        hearth.apiKey,
        ...options,
      ],
      { stdio: 'inherit' },
    );
    [process.exitCode] = (await once(child, 'exit')) as [number];
  } finally {
    await hearth.stop();
  }
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
