import { text as readAll } from 'node:stream/consumers';
import type { Command } from 'commander';
import { AnswerWriter } from './terminal/answer-writer.ts';
import type { ChatBackend } from './backends/backend.ts';
import { serverBackend } from './backends/server-backend.ts';
import { Session } from './session.ts';
import { talk } from './talk.ts';
import { CliError } from '../../errors/operator-errors.ts';
import { addConfigOptions, configFrom, type ConfigOptions } from '../context.ts';
import type { Config } from '../../config/types.ts';
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
    )
    .option('--system <text>', 'instructions for the model')
    .option('--temperature <number>', '0 always gives the same answer (default: 0.8, for the demo 0)');
  addConfigOptions(command).action((model: string | undefined, options: ChatOptions) =>
    orFail(() => chat(model, options)),
  );
}

async function chat(model: string | undefined, options: ChatOptions): Promise<void> {
  const config = configFrom(options);
  const temperature = parseTemperature(options.temperature);
  const piped = process.stdin.isTTY ? undefined : await readPiped();
  const { system } = options;
  const session = new Session({ open: () => openBackend(config), system, temperature });
  try {
    await session.use(model);
    if (piped === undefined) await talk(session);
    else await answerOnce(session, piped);
  } finally {
    await session.close();
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
