import { statSync } from 'node:fs';
import { homedir } from 'node:os';
import { text as readAll } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import type { Command } from 'commander';
import { AnswerWriter } from './terminal/answer-writer.ts';
import type { ChatBackend } from './backends/backend.ts';
import { serverBackend } from './backends/server-backend.ts';
import { runCommand } from './commands.ts';
import { Session } from './session.ts';
import { talk } from './talk.ts';
import { CliError } from '../../errors/operator-errors.ts';
import { addConfigOptions, configFrom, type ConfigOptions } from '../context.ts';
import { resolvePath } from '../../config/paths.ts';
import type { Config } from '../../config/types.ts';
import { openCatalog } from '../../assembly/open-catalog.ts';
import { pullByName } from '../models/models-pull.ts';
import { orFail } from '../output.ts';
import { connectToServer } from '../server-connection.ts';

interface ChatOptions extends ConfigOptions {
  readonly system?: string;
  readonly temperature?: string;
}

export function registerChatCommand(program: Command): void {
  const command = program
    .command('chat [model]')
    .description(
      'talk with a model in the terminal, through the running server of the data folder where there is one; what is piped in is one message',
    );
  addChatOptions(command).action((model: string | undefined, options: ChatOptions) =>
    orFail(() => chat(configFrom(options), options, (session) => session.use(model))),
  );
}

/** `hearth run`: `models pull` and `chat` in one. */
export function registerRunCommand(program: Command): void {
  const command = program
    .command('run <model> [prompt...]')
    .description(
      'talk with a model, or have it answer a prompt, also about documents and pictures whose files stand behind it; it is pulled first where it is not here: a name or hf:Owner/Repo:QUANT',
    );
  addChatOptions(command).action((name: string, words: readonly string[], options: ChatOptions) =>
    orFail(async () => {
      const config = configFrom(options);
      const { prompt, files } = partWords(words);
      const id = await pullUnlessHere(name, config);
      const choose = async (session: Session) => {
        await useSoon(session, id);
        for (const file of files) await runCommand(`/file ${file}`, session);
      };
      await chat(config, options, choose, prompt);
    }),
  );
}

/** Words that are names of files where such a file is there; the last of them may be nothing else. */
const fileName = /^(?:\.{0,2}\/|~\/)|\.[a-z]\w{0,4}$/i;
const documentName = /\.(?:pdf|docx|xlsx|epub)$/i;

/** A prompt, and the files that stand behind it. Throws CliError. */
export function partWords(words: readonly string[]): {
  readonly prompt: string;
  readonly files: readonly string[];
} {
  const isFile = (word: string) =>
    fileName.test(word) &&
    statSync(resolvePath(word, process.cwd(), homedir()), { throwIfNoEntry: false })?.isFile() === true;
  const end = words.findLastIndex((word) => !isFile(word)) + 1;
  const missing = end > 1 ? words[end - 1] : undefined;
  if (missing !== undefined && documentName.test(missing)) throw new CliError(`there is no file ${missing}`);
  if (end === 0 && words.length > 0) throw new CliError('a prompt stands before its files');
  return { prompt: words.slice(0, end).join(' ').trim(), files: words.slice(end) };
}

function addChatOptions(command: Command): Command {
  return addConfigOptions(
    command
      .option('--system <text>', 'instructions for the model')
      .option('--temperature <number>', '0 always gives the same answer (default: 0.8, for the demo 0)'),
  );
}

async function chat(
  config: Config,
  options: ChatOptions,
  choose: (session: Session) => Promise<void>,
  prompt = '',
): Promise<void> {
  const temperature = parseTemperature(options.temperature);
  const piped = prompt !== '' ? prompt : process.stdin.isTTY ? undefined : await readPiped();
  const { system } = options;
  const session = new Session({ open: () => openBackend(config), system, temperature });
  try {
    await choose(session);
    if (piped === undefined) await talk(session);
    else await answerOnce(session, piped);
  } finally {
    await session.close();
  }
}

/** The id of the model that `name` stands for, once its file is here. Throws CliError or DownloadError. */
async function pullUnlessHere(name: string, config: Config): Promise<string> {
  // The server may have been started with other folders than this command is told of.
  const served = await servedAs(name, config);
  if (served !== undefined) return served;
  const catalog = openCatalog(config, { debug() {}, info() {}, warn() {} });
  if (catalog.find(name) !== undefined) return name;
  const pulled = await pullByName(name, config, catalog, {});
  catalog.rescan();
  const fetched = catalog.list().find(({ path }) => path === pulled?.path);
  if (fetched === undefined) throw new CliError(`${name} is no model that can be served`);
  return fetched.id;
}

/** The id of the model that the running server has under this name; undefined: there is none. */
async function servedAs(name: string, config: Config): Promise<string | undefined> {
  const server = await connectToServer(config);
  try {
    const models = (await server?.models()) ?? [];
    return models.find(({ id, aliases }) => [id, ...aliases].includes(name))?.id;
  } finally {
    server?.close();
  }
}

/** Takes the model for the chat; the running server sees a new file up to two seconds late. */
async function useSoon(session: Session, id: string): Promise<void> {
  const deadlineMs = performance.now() + 5000;
  while (true)
    try {
      return await session.use(id);
    } catch (error) {
      if (!(error instanceof CliError) || performance.now() > deadlineMs) throw error;
      await delay(100);
    }
}

/** The running server of the data folder where there is one, else models in this process. */
async function openBackend(config: Config): Promise<ChatBackend> {
  const connection = await connectToServer(config);
  if (connection !== undefined) return serverBackend(connection);
  // Loading the engine takes a moment that a chat with the server should not pay.
  const { openEngineBackend } = await import('./backends/engine-backend.ts');
  return await openEngineBackend(config);
}

function parseTemperature(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const temperature = text.trim() === '' ? Number.NaN : Number(text);
  if (temperature >= 0 && temperature <= 2) return temperature;
  throw new CliError(`--temperature must be a number from 0 to 2, not "${text}"`);
}

async function readPiped(): Promise<string> {
  const message = (await readAll(process.stdin)).trim();
  if (message === '')
    throw new CliError('standard input is empty', 'pipe a message in, or run it in a terminal');
  return message;
}

/** Ctrl-C stops the answer, and so does closing the pipe that reads it. */
async function answerOnce(session: Session, message: string): Promise<void> {
  const stopping = new AbortController();
  const stop = () => stopping.abort();
  process.once('SIGINT', stop);
  process.stdout.once('error', stop);
  const writer = new AnswerWriter();
  try {
    await session.ask(message, stopping.signal, writer);
    writer.end(stopping.signal.aborted ? 'stopped' : 'answered');
    if (stopping.signal.aborted) process.exitCode = 130;
  } catch (error) {
    writer.end('failed');
    throw error;
  } finally {
    process.off('SIGINT', stop);
  }
}
