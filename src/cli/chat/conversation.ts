import { setTimeout as delay } from 'node:timers/promises';
import { AppError } from '../../errors/errors.ts';
import type { Attachment, ChatMessage } from '../../engine/types.ts';
import type { FinishReason } from '../../engine/generation/generation.ts';
import { PromptClock, type PromptProgress } from '../../timing/prompt-clock.ts';
import type { ChatBackend } from './backends/backend.ts';

/** A question and its answer, which may be partial. */
export interface Turn {
  readonly question: string;
  readonly answer: string;
  /** Pictures that stand before the question. */
  readonly pictures?: readonly Attachment[];
}

/** The events of an answer while it comes. */
export interface AnswerListener {
  /** Names the work that the first text waits for, until then or the next such call. */
  waiting(what: string): void;
  thought(text: string): void;
  text(text: string): void;
  /** Something that the user should know, in one sentence. */
  note(text: string): void;
}

export interface AskOptions {
  readonly backend: ChatBackend;
  readonly model: string;
  readonly temperature: number;
  readonly signal: AbortSignal;
}

function readingOf({ processed, total }: PromptProgress, leftMs: number): string {
  const left = leftMs > 0 ? `, ${Math.ceil(leftMs / 1000)} s left` : '';
  return `reading the prompt: ${Math.floor((processed / total) * 100)} %${left}`;
}

/** Share of the turns that is dropped at once, because every further try renders all that remain. */
const droppedShare = 1 / 4;
/** How long to wait for a model that is being loaded when the error gives no time. */
const defaultLoadSeconds = 5;

/** The system prompt and the turns so far. */
export class Conversation {
  system: string | undefined;
  #turns: readonly Turn[] = [];
  /** The pictures that the next question shows. */
  #pictures: readonly Attachment[] = [];
  /** The texts with which the next question begins. */
  #texts: readonly string[] = [];

  constructor(system?: string) {
    this.system = system;
  }

  get turns(): readonly Turn[] {
    return this.#turns;
  }

  /** All of it, as models and files take it. */
  get messages(): readonly ChatMessage[] {
    return toMessages(this.system, this.#turns);
  }

  /** Shows a picture with the next question. */
  show(picture: Attachment): void {
    this.#pictures = [...this.#pictures, picture];
  }

  /** Has the next question begin with the text of a document. */
  attach(text: string): void {
    this.#texts = [...this.#texts, text];
  }

  clear(): void {
    this.#turns = [];
    this.#pictures = [];
    this.#texts = [];
  }

  /**
   * Asks, and remembers the question with its answer, even a partial one; a question without any answer is forgotten.
   * When the conversation is too long for the model, its oldest turns are dropped. Waits for a model that is still
   * being loaded. Throws the failure; after an abort of `signal` it only ends.
   */
  async ask(question: string, options: AskOptions, listener: AnswerListener): Promise<void> {
    let kept = this.#turns;
    const said = [...this.#texts, question].join('\n\n');
    const shown = { question: said, ...(this.#pictures.length > 0 && { pictures: this.#pictures }) };
    this.#pictures = [];
    this.#texts = [];
    for (;;) {
      try {
        await this.#answer(shown, kept, options, listener);
        return;
      } catch (error) {
        if (options.signal.aborted) return;
        if (isTooLong(error)) {
          if (kept.length === 0) throw error;
          kept = withoutOldest(kept);
        } else if (error instanceof AppError && error.code === 'model_loading') {
          await pause(error.retryAfterSeconds ?? defaultLoadSeconds, options.signal);
          if (options.signal.aborted) return;
        } else throw error;
      }
    }
  }

  async #answer(
    shown: Omit<Turn, 'answer'>,
    kept: readonly Turn[],
    { backend, model, temperature, signal }: AskOptions,
    listener: AnswerListener,
  ): Promise<void> {
    const messages = [...toMessages(this.system, kept), toQuestion(shown)];
    const clock = new PromptClock();
    let answer = '';
    let finishReason: FinishReason | undefined;
    let began = false;
    try {
      for await (const event of backend.answer({ model, messages, temperature }, signal)) {
        if (!began) this.#tellDropped(kept, listener);
        began = true;
        if (event.type === 'progress')
          listener.waiting(readingOf(event.progress, clock.leftMs(event.progress)));
        else if (event.type === 'end') finishReason = event.finishReason;
        else if (event.type === 'thought') listener.thought(event.text);
        else {
          answer += event.text;
          listener.text(event.text);
        }
      }
    } finally {
      if (answer !== '' || finishReason !== undefined) this.#turns = [...kept, { ...shown, answer }];
    }
    if (finishReason === 'length') this.#makeRoom(listener);
  }

  #tellDropped(kept: readonly Turn[], listener: AnswerListener): void {
    const dropped = this.#turns.length - kept.length;
    if (dropped > 0) listener.note(`the conversation is too long for the model: forgot ${oldest(dropped)}`);
  }

  /** Only the context limits an answer, so the next answer needs room in it. */
  #makeRoom(listener: AnswerListener): void {
    const before = this.#turns;
    if (before.length > 1) this.#turns = withoutOldest(before);
    const dropped = before.length - this.#turns.length;
    const remedy = dropped > 0 ? `forgot ${oldest(dropped)}` : '/clear begins anew';
    listener.note(`the answer was cut off, since the model's context is full: ${remedy}`);
  }
}

const toMessages = (system: string | undefined, turns: readonly Turn[]): readonly ChatMessage[] => [
  ...(system === undefined ? [] : [{ role: 'system', content: system } as const]),
  ...turns.flatMap((turn) => [toQuestion(turn), { role: 'assistant', content: turn.answer } as const]),
];

const toQuestion = ({ question, pictures }: Omit<Turn, 'answer'>): ChatMessage => ({
  role: 'user',
  content: question,
  ...(pictures && { attachments: pictures }),
});

const withoutOldest = (turns: readonly Turn[]) => turns.slice(Math.ceil(turns.length * droppedShare));

const oldest = (turns: number) => (turns === 1 ? 'its oldest turn' : `its ${turns} oldest turns`);

/** Too long for the model, or for a request to the server. */
const isTooLong = (error: unknown) =>
  error instanceof AppError &&
  (error.code === 'context_length_exceeded' || error.code === 'request_too_large');

async function pause(seconds: number, signal: AbortSignal): Promise<void> {
  try {
    await delay(seconds * 1000, undefined, { signal });
  } catch {
    // Aborted: the caller checks the signal.
  }
}
