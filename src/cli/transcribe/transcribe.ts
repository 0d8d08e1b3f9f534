import type { Command } from 'commander';
import type { TranscriptionProgress } from '../../engine/speech/transcription-types.ts';
import type { Config } from '../../config/types.ts';
import { toTranscriptionLanguage } from '../../engine/speech/transcription-languages.ts';
import { CliError } from '../../errors/operator-errors.ts';
import { loadCuratedModels } from '../../catalog/pulls/curated-models.ts';
import { isDemoId } from '../../config/demo.ts';
import { curatedModelsFile } from '../../config/paths.ts';
import { chooseModel } from '../choose-model.ts';
import { addConfigOptions, configFrom, type ConfigOptions } from '../context.ts';
import { printJson, printTable, printText, tell, untilStopped } from '../output.ts';
import { connectToServer, type ServerConnection } from '../server-connection.ts';
import { toClock, toSrt, toVtt } from '../../words/subtitles.ts';
import { readAudioInput, type AudioInput } from './audio-input.ts';
import type { SpeechBackend, SpeechRequest, Transcription } from './engine-backend.ts';
import { can } from '../../model-kinds.ts';
import { clearLine } from '../models/pull-progress.ts';
import { sendForm } from '../send-form.ts';

interface TranscribeOptions extends ConfigOptions {
  readonly model?: string;
  readonly language: string;
  readonly prompt?: string;
  readonly temperature: string;
  readonly json?: boolean;
  readonly srt?: boolean;
  readonly vtt?: boolean;
  readonly text?: boolean;
}

export function registerTranscribeCommand(program: Command): void {
  const command = program
    .command('transcribe <file>')
    .description(
      'write down what is said in an audio or video file, or with - in one on standard input; the running server of the data folder does it where there is one',
    )
    .option('--model <id>', 'speech model (default: the first one that is no demo)')
    .option('--language <code>', 'such as en or de; auto lets the model tell', 'en')
    .option('--prompt <text>', 'words before the first one: names and spellings to expect')
    .option('--temperature <number>', '0 to 1: where decoding starts', '0')
    .option('--json', 'print one JSON document, as the API gives it')
    .option('--srt', 'print SubRip subtitles')
    .option('--vtt', 'print WebVTT subtitles')
    .option('--text', 'print the text only');
  addConfigOptions(command).action(transcribe);
}

const transcribe = (file: string, options: TranscribeOptions): Promise<void> =>
  untilStopped(async (signal) => {
    const parameters = checkParameters(options);
    const config = configFrom(options);
    const audio = await readAudioInput(file, signal);
    try {
      print(await run(config, audio, options.model, parameters, signal), options);
    } finally {
      audio.dispose();
    }
  });

type Parameters = Pick<SpeechRequest, 'language' | 'prompt' | 'temperature'>;

function checkParameters(options: TranscribeOptions): Parameters {
  if ([options.json, options.srt, options.vtt, options.text].filter(Boolean).length > 1)
    throw new CliError('--json, --srt, --vtt and --text exclude each other');
  const language = toTranscriptionLanguage(options.language);
  if (language === undefined)
    throw new CliError(`"${options.language}" is not a language`, 'give a code such as en, or auto');
  const temperature = Number(options.temperature);
  if (!(temperature >= 0 && temperature <= 1))
    throw new CliError(`--temperature must be a number from 0 to 1, not "${options.temperature}"`);
  return { language, prompt: options.prompt, temperature };
}

/** Transcribes by the running server when there is one that takes a file of this size, else in this process. */
async function run(
  config: Config,
  audio: AudioInput,
  model: string | undefined,
  parameters: Parameters,
  signal: AbortSignal,
): Promise<Transcription> {
  const attempt = async (backend: SpeechBackend) => {
    try {
      const { id: chosen } = chooseModel(await backend.models(), model, 'speech model');
      const heard = await backend.transcribe({ model: chosen, audio, ...parameters }, signal, showProgress);
      clearProgress();
      if (isDemoId(chosen)) warnOfDemo(chosen);
      return heard;
    } finally {
      clearProgress();
      await backend.close();
    }
  };
  const connection = await connectToServer(config);
  if (connection !== undefined) {
    if (audio.sizeBytes <= config.audioBodyLimitBytes) {
      showPlace(`the server at ${connection.baseUrl}`);
      return await attempt(speechServer(connection));
    }
    connection.close();
    tell(
      'the file is larger than the running server takes (audioBodyLimit): the model is loaded in this process instead',
    );
  }
  // Loading the engine takes a moment that the server's users should not pay.
  const { openSpeechEngine } = await import('./engine-backend.ts');
  return await attempt(await openSpeechEngine(config));
}

function warnOfDemo(id: string): void {
  const known = loadCuratedModels(curatedModelsFile).filter(({ kind }) => kind === 'speech');
  const better = known.map((model) => model.id).join(', ');
  tell(
    `${id} is a tiny demo, which mishears most words of most people: hearth models pull NAME, where NAME is one of ${better}`,
  );
}

function print(transcription: Transcription, { json, srt, vtt, text }: TranscribeOptions): void {
  const { segments } = transcription;
  if (json === true) printJson(transcription);
  else if (srt === true) printText(toSrt(segments));
  else if (vtt === true) printText(toVtt(segments));
  else if (text === true) printText(`${transcription.text}\n`);
  else
    printTable(
      segments,
      [
        { title: 'START', value: ({ start }) => toClock(start) },
        { title: 'END', value: ({ end }) => toClock(end) },
        { title: 'TEXT', value: (segment) => segment.text.trim(), giveWay: 'wrap' },
      ],
      'no speech was found in the recording',
    );
}

/** Shows on a terminal how much of the audio is done. */
function showProgress({ audioSeconds, durationSeconds }: TranscriptionProgress): void {
  if (!process.stderr.isTTY) return;
  const percent = Math.round((audioSeconds / durationSeconds) * 100);
  process.stderr.write(
    `\r${toClock(audioSeconds).slice(0, -4)} of ${toClock(durationSeconds).slice(0, -4)}  ${percent} %`,
  );
}

/** Shows on a terminal who transcribes, when the progress is not known. */
function showPlace(place: string): void {
  if (process.stderr.isTTY) process.stderr.write(`transcribing: ${place} …`);
}

/** Wipes the line. */
function clearProgress(): void {
  if (process.stderr.isTTY) process.stderr.write(clearLine);
}

/** Transcribes with a model in the running server. Tells no progress: the API does not. */
function speechServer(connection: ServerConnection): SpeechBackend {
  return {
    models: async () => (await connection.models()).filter((model) => can(model, 'transcribe')),
    async transcribe({ model, audio, language, prompt, temperature }, signal) {
      const fields = {
        model,
        language,
        temperature: String(temperature),
        ...(prompt !== undefined && { prompt }),
      };
      const form = { fields, path: audio.path, filename: `audio.${audio.extension}` };
      return (await sendForm(connection, '/audio/transcriptions', form, signal)) as Transcription;
    },
    close: async () => connection.close(),
  };
}
