import { isCancel, select } from '@clack/prompts';
import type { CuratedModel } from '../../catalog/pulls/curated-models.ts';
import type { MachinePower } from '../../catalog/pulls/expected-speed.ts';
import { suggestModels, type Suggestion } from '../../catalog/pulls/suggestions.ts';
import type { Config } from '../../config/types.ts';
import { formatBytes } from '../../words/format-bytes.ts';
import { measureMachine } from '../../assembly/machine-power.ts';
import { printJson, printTable, type Column } from '../output.ts';
import { sameFolder, shellCommand } from '../own-command.ts';

/**
 * The id of the model that was chosen on a terminal. Without a terminal it lists the models, with the one that suits
 * this machine best, and gives undefined.
 */
export async function suggestModel(
  curated: readonly CuratedModel[],
  config: Config,
  json: boolean,
): Promise<string | undefined> {
  const machine = await measureMachine(config);
  const suggestions = suggestModels(curated, machine);
  const suggested = suggestions.find(({ best }) => best)?.model;
  if (json) {
    const models = suggestions.map(({ model, tokensPerSecond = null }) => ({ ...model, tokensPerSecond }));
    printJson({ machine, suggested: suggested?.id ?? null, models });
    return undefined;
  }
  if (process.stdin.isTTY && process.stdout.isTTY) return await ask(suggestions, suggested, machine);
  printTable(suggestions, columns, 'no models are known by name');
  const lines = [
    'MEMORY is for the model and four conversations of 8,192 tokens; with fewer or shorter ones it takes less.',
    `This machine: ${describeMachine(machine)}.`,
  ];
  for (const [what, model] of [
    ['To talk', suggested],
    ['Speech', curated.find(({ id }) => id === 'whisper-base')],
    ['To be read to', curated.find(({ kind }) => kind === 'voice')],
    ['Embeddings', curated.find(({ kind }) => kind === 'embedding')],
  ] as const)
    if (model !== undefined)
      lines.push(`${what}: ${shellCommand(['models', 'pull', model.id, ...sameFolder(config)])}`);
  process.stdout.write(`\n${lines.join('\n')}\n`);
  return undefined;
}

/** Such as `25 GB of memory, read at 38 GB/s by 2 cores`. */
function describeMachine({ memoryBytes, cores, memoryBytesPerSecond, gpu }: MachinePower): string {
  const speed = memoryBytesPerSecond === undefined ? '' : `, read at ${formatBytes(memoryBytesPerSecond)}/s`;
  const graphics = gpu === undefined ? '' : `; ${gpu.name} with ${formatBytes(gpu.memoryBytes)}`;
  return `${formatBytes(memoryBytes)} of memory${speed}, ${cores} ${cores === 1 ? 'core' : 'cores'}${graphics}`;
}

async function ask(
  suggestions: readonly Suggestion[],
  suggested: CuratedModel | undefined,
  machine: MachinePower,
): Promise<string | undefined> {
  const choice = await select({
    message: `Which model? This machine: ${describeMachine(machine)}.`,
    ...(suggested === undefined ? {} : { initialValue: suggested.id }),
    options: suggestions
      .filter(({ fits, best }) => fits || best)
      .map(({ model, tokensPerSecond, best }) => ({
        value: model.id,
        label: [
          model.id,
          formatBytes(model.sizeBytes),
          tokensPerSecond && `about ${roughly(tokensPerSecond)} tokens/s`,
          best && 'suggested',
        ]
          .filter(Boolean)
          .join(' · '),
        hint: model.goodFor,
      })),
  });
  return isCancel(choice) ? undefined : choice;
}

const columns: readonly Column<Suggestion>[] = [
  { title: 'ID', value: ({ model }) => model.id },
  { title: 'SIZE', value: ({ model }) => formatBytes(model.sizeBytes), align: 'right' },
  { title: 'MEMORY', value: ({ model }) => formatBytes(model.memoryBytes), align: 'right' },
  {
    title: 'TOKENS/S',
    value: ({ tokensPerSecond }) => (tokensPerSecond === undefined ? null : `~${roughly(tokensPerSecond)}`),
    align: 'right',
  },
  { title: 'LICENCE', value: ({ model }) => model.licence, giveWay: 1 },
  { title: 'GOOD FOR', value: ({ model }) => model.goodFor, giveWay: 'wrap' },
];

/** Rounded to two digits at most, because it is an estimate. */
function roughly(tokensPerSecond: number): string {
  return String(Number(tokensPerSecond.toPrecision(tokensPerSecond < 10 ? 1 : 2)));
}
