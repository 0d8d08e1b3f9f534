import path from 'node:path';
import { text as readAll } from 'node:stream/consumers';
import type { Command } from 'commander';
import { soundFormats } from '../../engine/audio/sound-encoder.ts';
import { CliError } from '../../errors/operator-errors.ts';
import { can } from '../../model-kinds.ts';
import { chooseModel } from '../choose-model.ts';
import { addConfigOptions, configFrom, type ConfigOptions } from '../context.ts';
import { untilStopped } from '../output.ts';
import { withServer } from '../server-connection.ts';
import { findOutput, type SoundOutput } from './sound-output.ts';

interface SayOptions extends ConfigOptions {
  readonly output?: string;
  readonly model?: string;
  readonly voice?: string;
  readonly language?: string;
  readonly speed: string;
  readonly format?: string;
}

/** The argument that stands for standard input. */
const standardInput = '-';

export function registerSayCommand(program: Command): void {
  const command = program
    .command('say <text...>')
    .description(
      'have a model of the running server speak a text, or with - what comes on standard input, and play it as it is made, or write it to a file',
    )
    .option('-o, --output <file>', 'write the sound to this file; with - to standard output')
    .option('--model <id>', 'voice model (default: the first one)')
    .option('--voice <name>', 'one of GET /v1/audio/voices (default: the first one)')
    .option('--language <code>', 'such as en or de (default: the one that the model takes by itself)')
    .option('--speed <number>', '0.25 to 4; another than 1 needs ffmpeg on the server', '1')
    .option('--format <name>', `${soundFormats.join(', ')} (default: as the file is called, else wav)`);
  addConfigOptions(command).action(say);
}

const say = (words: readonly string[], options: SayOptions): Promise<void> =>
  untilStopped(async (signal) => {
    if (options.format === undefined) formatOf(options.output);
    const output = findOutput(options.output);
    await speak(await textOf(words), options, output, signal);
  });

async function textOf(words: readonly string[]): Promise<string> {
  if (words.length !== 1 || words[0] !== standardInput) return words.join(' ');
  if (process.stdin.isTTY)
    throw new CliError('there is no text on standard input', 'pipe some in: … | hearth say -');
  return await readAll(process.stdin);
}

async function speak(
  input: string,
  options: SayOptions,
  output: SoundOutput,
  signal: AbortSignal,
): Promise<void> {
  await withServer(configFrom(options), 'speech needs a running server', async (server) => {
    const models = (await server.models()).filter((model) => can(model, 'speak'));
    const sound = await server.send('/audio/speech', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        model: chooseModel(models, options.model, 'voice model').id,
        input,
        voice: options.voice,
        language: options.language,
        speed: Number(options.speed),
        response_format: options.format ?? formatOf(options.output),
      }),
      signal,
    });
    await output(sound, signal);
  });
}

/** The format that the file's name says. Throws CliError where that names none of those that there are. */
function formatOf(file = ''): string {
  const named = path.extname(file).slice(1).toLowerCase();
  if (named === '') return 'wav';
  const format = soundFormats.find((one) => one === named) ?? (named === 'ogg' ? 'opus' : undefined);
  if (format !== undefined) return format;
  throw new CliError(
    `${file}: sound is not written as .${named}`,
    `name the file .${soundFormats.join(', .')} or .ogg, or add --format`,
  );
}
