import { createInterface, type Interface } from 'node:readline/promises';
import { text as readAll } from 'node:stream/consumers';
import { styleText } from 'node:util';
import type { Command } from 'commander';
import type { CatalogModel } from '../catalog/types.ts';
import { defaultSampling } from '../engine/default-sampling.ts';
import type { ChatMessage, GenerationRequest } from '../engine/types.ts';
import type { Services } from '../services.ts';
import { CliError } from './cli-error.ts';
import { addConfigOptions, configFrom, type ConfigOptions } from './context.ts';
import { isDemo, preferredChatModel } from './demo.ts';
import { fail } from './output.ts';

interface ChatOptions extends ConfigOptions {
  readonly system?: string;
  readonly temperature?: string;
}

export function registerChatCommand(program: Command): void {
  const command = program
    .command('chat [model]')
    .description('talk with a model in the terminal; what is piped in is one message')
    .option('--system <text>', 'instructions for the model')
    .option('--temperature <number>', '0 always gives the same answer (default: 0.8, for the demo 0)');
  addConfigOptions(command).action(async (model: string | undefined, options: ChatOptions) =>
    chat(model, options),
  );
}

async function chat(modelName: string | undefined, options: ChatOptions): Promise<void> {
  const config = configFrom(options);
  const [{ openServices }, { createLog }] = await Promise.all([
    import('../services.ts'),
    import('../telemetry/log.ts'),
  ]);
  const services = await openServices(config, createLog({ level: 'error' }));
  try {
    const model = chooseModel(services, modelName);
    const conversation = new Conversation(services, model, options);
    if (process.stdin.isTTY) await talk(conversation, model);
    else await conversation.say((await readAll(process.stdin)).trim(), new AbortController().signal);
  } catch (error) {
    fail(error);
  } finally {
    await services.close(0);
  }
}

function chooseModel({ catalog }: Services, name: string | undefined): CatalogModel {
  const chatModels = catalog.list().filter((model) => model.kind === 'chat');
  const model = name === undefined ? preferredChatModel(chatModels) : catalog.find(name);
  if (model?.kind === 'chat') return model;
  if (name === undefined)
    throw new CliError('there is no chat model yet', 'get one with: hearth models pull');
  const known = chatModels.map(({ id }) => id).join(', ') || 'none';
  throw new CliError(`there is no chat model "${name}"`, `there are: ${known}`);
}

/** Asks until the input ends. Ctrl-C stops an answer; between answers it ends the chat. */
async function talk(conversation: Conversation, model: CatalogModel): Promise<void> {
  process.stderr.write(
    styleText(
      'dim',
      `${model.id}${isDemo(model) ? ' (a tiny demo)' : ''} · Ctrl-C stops an answer, Ctrl-D ends the chat\n`,
    ),
  );
  const terminal: Interface = createInterface({ input: process.stdin, output: process.stderr });
  let answering: AbortController | undefined;
  terminal.on('SIGINT', () => {
    if (answering === undefined) terminal.close();
    else answering.abort();
  });
  terminal.setPrompt(styleText('bold', '> '));
  terminal.prompt();
  for await (const line of terminal) {
    if (line.trim() !== '') {
      answering = new AbortController();
      await conversation.say(line, answering.signal);
      answering = undefined;
    }
    terminal.prompt();
  }
}

/** What was said so far, and how to go on. */
class Conversation {
  readonly #services: Services;
  readonly #model: CatalogModel;
  readonly #temperature: number;
  readonly #messages: ChatMessage[] = [];

  constructor(services: Services, model: CatalogModel, options: ChatOptions) {
    // So small a model is led astray by its less likely words.
    const { system, temperature = isDemo(model) ? '0' : '0.8' } = options;
    this.#services = services;
    this.#model = model;
    this.#temperature = Number(temperature);
    if (!(this.#temperature >= 0 && this.#temperature <= 2))
      throw new CliError(`--temperature must be a number from 0 to 2, not "${temperature}"`);
    if (system !== undefined) this.#messages.push({ role: 'system', content: system });
  }

  /** Streams the answer to standard output and remembers both. */
  async say(content: string, signal: AbortSignal): Promise<void> {
    this.#messages.push({ role: 'user', content });
    const { events } = this.#services.engine.generate(this.#request(), signal);
    let answer = '';
    for await (const event of events) {
      if (event.type !== 'text') continue;
      answer += event.text;
      process.stdout.write(event.text);
    }
    process.stdout.write('\n');
    this.#messages.push({ role: 'assistant', content: answer });
  }

  #request(): GenerationRequest {
    return {
      modelId: this.#model.id,
      accountId: 'terminal',
      keyId: 'terminal',
      prompt: { kind: 'messages', messages: this.#messages },
      sampling: { ...defaultSampling, temperature: this.#temperature },
      stop: [],
      maxTokens: undefined,
      minTokens: 0,
      ignoreEos: false,
      topLogprobs: undefined,
    };
  }
}
