import { isDemoId } from '../../config/demo.ts';
import { ServerGoneError } from '../server-connection.ts';
import type { ChatBackend, ChatModel } from './backends/backend.ts';
import { chooseModel } from '../choose-model.ts';
import { Conversation, type AnswerListener } from './conversation.ts';

export interface SessionOptions {
  readonly open: () => Promise<ChatBackend>;
  readonly system: string | undefined;
  /** undefined: the one that suits the model. */
  readonly temperature: number | undefined;
}

/** One chat: who answers, and the messages so far. */
export class Session {
  readonly conversation: Conversation;
  readonly #options: SessionOptions;
  #backend: ChatBackend | undefined;
  #lastAsked: ChatBackend | undefined;
  #model = '';

  constructor(options: SessionOptions) {
    this.#options = options;
    this.conversation = new Conversation(options.system);
  }

  /** The name under which answers are requested. */
  get model(): string {
    return this.#model;
  }

  /** The answering model and its place, in a few words. */
  get description(): string {
    const demo = isDemoId(this.#model) ? ' (a tiny demo)' : '';
    const place = this.#backend?.place;
    return `${this.#model}${demo}${place === undefined ? '' : `, ${place}`}`;
  }

  /** All models that can be talked with. */
  async models(): Promise<readonly ChatModel[]> {
    return await this.#withBackend((backend) => backend.models());
  }

  /** Answers come from the model of that id or alias from now on; undefined: from the best. Throws CliError. */
  async use(model: string | undefined): Promise<void> {
    this.#model = chooseModel(await this.models(), model, 'chat model').id;
  }

  /** Asks and tells `listener` of each part of the answer; ends early where `signal` aborts. Throws the failure. */
  async ask(question: string, signal: AbortSignal, listener: AnswerListener): Promise<void> {
    await this.#withBackend(async (backend) => {
      if (this.#lastAsked !== undefined && this.#lastAsked !== backend)
        listener.note(`answers come from ${backend.place ?? 'this process'} now`);
      this.#lastAsked = backend;
      // It may have gone since it was chosen.
      const { id: model, isLoaded } = chooseModel(await backend.models(), this.#model, 'chat model');
      listener.waiting(isLoaded ? 'waiting' : `loading ${model}`);
      // The demo is so small that its less likely words spoil the answer.
      const temperature = this.#options.temperature ?? (isDemoId(model) ? 0 : 0.8);
      await this.conversation.ask(question, { backend, model, temperature, signal }, listener);
    });
  }

  async close(): Promise<void> {
    await this.#backend?.close();
    this.#backend = undefined;
  }

  /** Runs `work`. When the server has gone, the next call looks for one again. */
  async #withBackend<Result>(work: (backend: ChatBackend) => Promise<Result>): Promise<Result> {
    this.#backend ??= await this.#options.open();
    try {
      return await work(this.#backend);
    } catch (error) {
      if (error instanceof ServerGoneError) await this.close();
      throw error;
    }
  }
}
