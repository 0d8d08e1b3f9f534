import { isCancel, select } from '@clack/prompts';
import type { CuratedModel } from '../../catalog/pulls/curated-models.ts';
import {
  expectedTokensPerSecond,
  hasRoomFor,
  suitableModels,
  type MachinePower,
} from '../../catalog/pulls/expected-speed.ts';
import type { Config } from '../../config/types.ts';
import { formatBytes } from '../../words/format-bytes.ts';
import { measureMachine } from './machine-power.ts';
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
  const machine = await measureMachine();
  const suggested = suitableModels(curated, machine).at(-1);
  if (json) {
    const models = curated.map((model) => ({
      ...model,
      tokensPerSecond: generates(model) ? (expectedTokensPerSecond(machine, model) ?? null) : null,
    }));
    printJson({ machine, suggested: suggested?.id ?? null, models });
    return undefined;
  }
  if (process.stdin.isTTY && process.stdout.isTTY) return await ask(curated, suggested, machine);
  printTable(curated, columnsFor(machine), 'no models are known by name');
  const lines = [`This machine: ${describeMachine(machine)}.`];
  for (const [what, model] of [
    ['To talk', suggested],
    ['Speech', curated.find(({ id }) => id === 'whisper-base')],
    ['Embeddings', curated.find(({ kind }) => kind === 'embedding')],
  ] as const)
    if (model !== undefined) lines.push(`${what}: ${pullCommand(model, config)}`);
  process.stdout.write(`\n${lines.join('\n')}\n`);
  return undefined;
}

/** The line for a shell that pulls `model` into the data folder in use. */
export function pullCommand({ id }: CuratedModel, config: Config): string {
  return shellCommand(['models', 'pull', id, ...sameFolder(config)]);
}

/** How many tokens per second a model writes here, roughly; undefined where that is not known. */
function speedOf(machine: MachinePower, model: CuratedModel): string | undefined {
  const speed = generates(model) ? expectedTokensPerSecond(machine, model) : undefined;
  // Two digits at most, because it is an estimate.
  return speed === undefined ? undefined : String(Number(speed.toPrecision(speed < 10 ? 1 : 2)));
}

/** Such as `25 GB of memory, read at 38 GB/s by 2 cores`. */
function describeMachine({ memoryBytes, cores, memoryBytesPerSecond, gpu }: MachinePower): string {
  const speed = memoryBytesPerSecond === undefined ? '' : `, read at ${formatBytes(memoryBytesPerSecond)}/s`;
  const graphics = gpu === undefined ? '' : `; ${gpu.name} with ${formatBytes(gpu.memoryBytes)}`;
  return `${formatBytes(memoryBytes)} of memory${speed}, ${cores} ${cores === 1 ? 'core' : 'cores'}${graphics}`;
}

async function ask(
  curated: readonly CuratedModel[],
  suggested: CuratedModel | undefined,
  machine: MachinePower,
): Promise<string | undefined> {
  const choice = await select({
    message: `Which model? This machine: ${describeMachine(machine)}.`,
    ...(suggested === undefined ? {} : { initialValue: suggested.id }),
    options: curated
      .filter((model) => hasRoomFor(machine, model) || model === suggested)
      .map((model) => [model, speedOf(machine, model)] as const)
      .map(([model, speed]) => ({
        value: model.id,
        label: [
          model.id,
          formatBytes(model.sizeBytes),
          speed && `about ${speed} tokens/s`,
          model === suggested ? 'suggested' : undefined,
        ]
          .filter(Boolean)
          .join(' · '),
        hint: model.goodFor,
      })),
  });
  return isCancel(choice) ? undefined : choice;
}

function columnsFor(machine: MachinePower): Column<CuratedModel>[] {
  const speed = (model: CuratedModel) => {
    const tokensPerSecond = speedOf(machine, model);
    return tokensPerSecond === undefined ? null : `~${tokensPerSecond}`;
  };
  return [
    { title: 'ID', value: ({ id }) => id },
    { title: 'SIZE', value: ({ sizeBytes }) => formatBytes(sizeBytes), align: 'right' },
    { title: 'MEMORY', value: ({ memoryBytes }) => formatBytes(memoryBytes), align: 'right' },
    { title: 'TOKENS/S', value: speed, align: 'right' },
    { title: 'LICENCE', value: ({ licence }) => licence, giveWay: 1 },
    { title: 'GOOD FOR', value: ({ goodFor }) => goodFor, giveWay: 'wrap' },
  ];
}

function generates({ kind }: CuratedModel): boolean {
  return kind === 'chat' || kind === 'code';
}
