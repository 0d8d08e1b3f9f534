import { constants, copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { Command } from 'commander';
import { toTranscription } from '../api/audio-transcriptions/convert.ts';
import type { CatalogModel } from '../catalog/types.ts';
import type { Config } from '../config/types.ts';
import { AudioDecoder } from '../engine/audio/audio-decoder.ts';
import type { AudioFile } from '../engine/audio/audio-file.ts';
import { toTranscriptionLanguage } from '../engine/transcription-languages.ts';
import type { Transcript, TranscriptionProgress } from '../engine/transcription-types.ts';
import type { Services } from '../services.ts';
import { createLog } from '../telemetry/log.ts';
import { CliError } from './cli-error.ts';
import { addConfigOptions, configFrom, type ConfigOptions } from './context.ts';
import { fail, printJson, printTable } from './output.ts';
import { toClock, toSrt, toVtt } from './subtitles.ts';

interface TranscribeOptions extends ConfigOptions {
  readonly model?: string;
  readonly language: string;
  readonly prompt?: string;
  readonly temperature: string;
  readonly json?: boolean;
  readonly srt?: boolean;
  readonly vtt?: boolean;
}

export function registerTranscribeCommand(program: Command): void {
  const command = program
    .command('transcribe <file>')
    .description('write down what is said in an audio or video file')
    .option('--model <id>', 'speech model (default: the first one)')
    .option('--language <code>', 'such as en or de; auto lets the model tell', 'en')
    .option('--prompt <text>', 'words before the first one: names and spellings to expect')
    .option('--temperature <number>', '0 to 1: where decoding starts', '0')
    .option('--json', 'print one JSON document, as the API gives it')
    .option('--srt', 'print SubRip subtitles')
    .option('--vtt', 'print WebVTT subtitles');
  addConfigOptions(command).action(transcribe);
}

async function transcribe(file: string, options: TranscribeOptions): Promise<void> {
  try {
    const parameters = checkParameters(options);
    const config = configFrom(options);
    const { openServices } = await import('../services.ts');
    const services = await openServices(config, createLog({ level: 'error' }));
    try {
      const model = chooseModel(services, options.model);
      print(await run(services, config, model, file, parameters), options);
    } finally {
      await services.close(0);
    }
  } catch (error) {
    fail(error);
  }
}

interface Parameters {
  readonly language: string;
  readonly prompt: string | undefined;
  readonly temperature: number;
}

function checkParameters(options: TranscribeOptions): Parameters {
  if ([options.json, options.srt, options.vtt].filter(Boolean).length > 1)
    throw new CliError('--json, --srt and --vtt exclude each other');
  const language = toTranscriptionLanguage(options.language);
  if (language === undefined)
    throw new CliError(`"${options.language}" is not a language`, 'give a code such as en, or auto');
  const temperature = Number(options.temperature);
  if (!(temperature >= 0 && temperature <= 1))
    throw new CliError(`--temperature must be a number from 0 to 1, not "${options.temperature}"`);
  return { language, prompt: options.prompt, temperature };
}

function chooseModel({ catalog }: Services, name: string | undefined): CatalogModel {
  const models = catalog.list().filter(({ kind }) => kind === 'whisper');
  const model = name === undefined ? models[0] : catalog.find(name);
  if (model?.kind === 'whisper') return model;
  if (name === undefined)
    throw new CliError('there is no speech model yet', 'get one with: hearth models pull');
  const known = models.map(({ id }) => id).join(', ') || 'none';
  throw new CliError(`there is no speech model "${name}"`, `there are: ${known}`);
}

/** Ctrl-C ends it. */
async function run(
  { speech }: Services,
  config: Config,
  model: CatalogModel,
  file: string,
  parameters: Parameters,
): Promise<Transcript> {
  const stopping = new AbortController();
  const stop = () => stopping.abort();
  process.once('SIGINT', stop);
  try {
    const samples = await decode(file, config, stopping.signal);
    const request = { modelId: model.id, accountId: 'terminal', keyId: 'terminal', samples, ...parameters };
    const end = await speech.transcribe(request, stopping.signal, showProgress);
    if (end.outcome === 'finished') return end.transcript;
    throw end.outcome === 'failed' ? end.error : new CliError('stopped');
  } catch (error) {
    throw stopping.signal.aborted ? new CliError('stopped') : error;
  } finally {
    process.off('SIGINT', stop);
    clearProgress();
  }
}

/** Works on a copy: the decoder writes beside the file that it is given. */
async function decode(file: string, config: Config, signal: AbortSignal): Promise<Float32Array> {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'hearth-transcribe-'));
  try {
    const extension = path.extname(file).slice(1).toLowerCase();
    const copy: AudioFile = { path: path.join(folder, 'audio'), extension };
    try {
      copyFileSync(file, copy.path, constants.COPYFILE_FICLONE);
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? ` (${String(error.code)})` : '';
      throw new CliError(`${file} cannot be read${code}`);
    }
    const maxSeconds = config.audioLengthLimitMs / 1000;
    const log = createLog({ level: 'error' });
    return await new AudioDecoder({ ffmpeg: config.ffmpeg, maxSeconds, log }).decode(copy, signal);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function showProgress({ audioSeconds, durationSeconds }: TranscriptionProgress): void {
  if (!process.stderr.isTTY) return;
  const percent = Math.round((audioSeconds / durationSeconds) * 100);
  process.stderr.write(
    `\r${toClock(audioSeconds).slice(0, -4)} of ${toClock(durationSeconds).slice(0, -4)}  ${percent} %`,
  );
}

function clearProgress(): void {
  if (process.stderr.isTTY) process.stderr.write('\r\u001b[K');
}

function print(transcript: Transcript, { json, srt, vtt }: TranscribeOptions): void {
  const { segments } = transcript;
  if (json === true) printJson(toTranscription(transcript));
  else if (srt === true) process.stdout.write(toSrt(segments));
  else if (vtt === true) process.stdout.write(toVtt(segments));
  else
    printTable(
      segments,
      [
        { title: 'START', value: ({ startSeconds }) => toClock(startSeconds) },
        { title: 'END', value: ({ endSeconds }) => toClock(endSeconds) },
        { title: 'TEXT', value: ({ text }) => text.trim(), giveWay: 'wrap' },
      ],
      'nothing is said in it',
    );
}
