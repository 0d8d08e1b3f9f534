/**
 * Loads models of ten architectures under five memory budgets and compares the context that each is listed with, before
 * its load and after it, with the context that a request gets: one of exactly so many tokens, and one with a token
 * more. Exits with 1 where a number is not true.
 *
 *   node scripts/compare/told-contexts.ts [--context 2048]
 */
import { rm } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { createModelsDir, tinyModel } from '../../test/support/models/tiny-model.ts';
import { isTrue, readToldContext } from '../../test/support/models/told-context.ts';
import { startServer } from '../../test/support/server/start-server.ts';

const { values } = parseArgs({ options: { context: { type: 'string', default: '2048' } } });
const architectures = [
  'llama',
  'qwen3',
  'phi3',
  'gemma3',
  'granitemoe',
  'lfm2',
  'granitehybrid',
  'mamba',
  'gpt-oss',
  'gemma4',
] as const;
const budgets = ['24MiB', '32MiB', '48MiB', '96MiB', '1GiB'];

await using stack = new AsyncDisposableStack();
const shape = { contextTokens: Number(values.context), layers: 6, hiddenSize: 128, headCountKv: 4 };
const files = await Promise.all(
  architectures.map(
    async (architecture) => [architecture, await tinyModel({ architecture, ...shape })] as const,
  ),
);
const modelsDir = await createModelsDir(Object.fromEntries(files));
stack.defer(() => rm(modelsDir, { recursive: true, force: true }));

process.stdout.write(
  `| memory | ${architectures.join(' | ')} |\n| --- |${' --: |'.repeat(architectures.length)}\n`,
);
for (const memory of budgets) {
  const server = await startServer({ modelsDirs: [modelsDir], config: { memory, loadTimeout: '5m' } });
  process.stdout.write(`| ${memory} |`);
  for (const architecture of architectures) {
    const told = await readToldContext(server, architecture);
    process.stdout.write(` ${told.before}${isTrue(told) ? '' : ' not true'} |`);
    if (isTrue(told)) continue;
    process.exitCode = 1;
    process.stderr.write(`${architecture} under ${memory}: ${JSON.stringify(told)}\n`);
  }
  await server.stop();
  process.stdout.write('\n');
}
