import { mkdtemp, rm } from 'node:fs/promises';
import { availableParallelism, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Command } from 'commander';
import { CliError } from '../../errors/operator-errors.ts';
import { can } from '../../model-kinds.ts';
import { chooseModel } from '../choose-model.ts';
import type { Config } from '../../config/types.ts';
import {
  addConfigOptions,
  configFrom,
  modelFileOption,
  parseCountFlag,
  type ConfigOptions,
} from '../context.ts';
import { printJson, printLines, printTable, tell, untilStopped, type Column } from '../output.ts';
import { withServerOrOwn } from '../server-connection.ts';
import { measure, tryModel, type Figures } from './measure.ts';

interface BenchOptions extends ConfigOptions {
  readonly clients: string;
  readonly promptTokens: string;
  readonly outputTokens: string;
  readonly seconds: string;
  readonly json?: boolean;
}

const mostClients = 256;

const oneDigit = (value: number) => value.toFixed(1);
const columns: readonly Column<Figures>[] = [
  { title: 'CLIENTS', value: ({ clients }) => clients, align: 'right' },
  { title: 'REQUESTS', value: ({ requests }) => requests, align: 'right', giveWay: 2 },
  { title: 'PROMPT', value: ({ promptTokens }) => promptTokens, align: 'right', giveWay: 1 },
  { title: 'PROMPT TOKENS/S', value: (row) => oneDigit(row.promptTokensPerSecond), align: 'right' },
  { title: 'FIRST TOKEN', value: (row) => `${Math.round(row.firstTokenMs)} ms`, align: 'right' },
  { title: 'SLOWEST', value: (row) => `${Math.round(row.slowestFirstTokenMs)} ms`, align: 'right' },
  { title: 'OUTPUT TOKENS/S', value: (row) => oneDigit(row.outputTokensPerSecond), align: 'right' },
];

export function registerBenchCommand(program: Command): void {
  const command = program
    .command('bench')
    .description(
      'measure how fast a model answers: at the running server, else, or with -m, at one that runs as long as this does',
    )
    .argument('[model]', 'the model (default: the first one)')
    .option('--clients <list>', 'clients at once, one number after the other', '1,4')
    .option('--prompt-tokens <number>', 'about so many tokens in each prompt', '512')
    .option('--output-tokens <number>', 'tokens of each answer', '64')
    .option('--seconds <number>', 'the most time for each number of clients', '60')
    .option('--json', 'print one JSON document instead of a table');
  addConfigOptions(command.addOption(modelFileOption())).action(
    (model: string | undefined, options: BenchOptions) =>
      untilStopped((signal) => bench(model, options, signal)),
  );
}

async function bench(name: string | undefined, options: BenchOptions, signal: AbortSignal): Promise<void> {
  const outputTokens = parseCountFlag('--output-tokens', options.outputTokens, 'tokens, such as 64');
  const promptTokens = parseCountFlag('--prompt-tokens', options.promptTokens, 'tokens, such as 512');
  const seconds = parseCountFlag('--seconds', options.seconds, 'seconds, such as 60');
  const counts = options.clients
    .split(',')
    .map((text) => parseCountFlag('--clients', text, 'clients, such as 1,4'));
  if (counts.some((count) => count > mostClients))
    throw new CliError(`--clients: must be at most ${mostClients} at once`);
  const measureAt = async (config: Config) =>
    await withServerOrOwn(config, 'one starts for this measurement', async (server, isOwn) => {
      const writing = (await server.models()).filter((model) => can(model, 'generate'));
      const model = chooseModel(writing, name, 'chat model').id;
      const { tokensPerWord, isExact } = await tryModel(server, model, signal);
      const promptWords = Math.ceil(promptTokens / tokensPerWord);
      const load = { model, promptWords, outputTokens, isExact, seconds };
      tellBusy();
      const results: Figures[] = [];
      for (const clients of counts) results.push(await measure(server, clients, load, signal));
      if (options.json === true) return printJson({ model, outputTokens, isExact, isOwn, results });
      const place = isOwn ? 'a server of its own' : `the server at ${server.baseUrl}`;
      printLines([`${model} at ${place}, answers of ${isExact ? '' : 'up to '}${outputTokens} tokens`]);
      printTable(results, columns);
    });
  const own = { ...options, host: '127.0.0.1', port: '0' };
  if (options.modelFile === undefined) return await measureAt(configFrom(own));
  // A file is measured beside a server that runs.
  const dataDir = await mkdtemp(join(tmpdir(), 'hearth-bench-'));
  try {
    await measureAt(configFrom({ ...own, dataDir }));
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
}

function tellBusy(): void {
  const [load = 0] = loadavg();
  const processors = availableParallelism();
  if (load > processors / 2)
    tell(
      `other programs keep this machine busy (${oneDigit(load)} on ${processors} processors), which these figures include`,
    );
}
