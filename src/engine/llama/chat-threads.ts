import type { ThreadBudget } from '../queue/thread-budget.ts';
import type { NativeContext } from './native/context/context.ts';

/** The threads of one chat model's steps: fewer while speech is transcribed on the same cores. */
export class ChatThreads {
  readonly #context: Pick<NativeContext, 'setThreads'>;
  readonly #budget: ThreadBudget;
  readonly #wanted: number;
  #current: number;

  /** `wanted`: the threads that the context has now, and always has while nothing else computes. */
  constructor(context: Pick<NativeContext, 'setThreads'>, budget: ThreadBudget, wanted: number) {
    this.#context = context;
    this.#budget = budget;
    this.#wanted = wanted;
    this.#current = wanted;
  }

  /** To be called when a loop begins to compute. Returns a function to be called when it has no more work. */
  begin(): () => void {
    return this.#budget.beginChat();
  }

  /** There is nothing to adapt. */
  get isAdapted(): boolean {
    return this.#budget.chatThreads(this.#wanted) === this.#current;
  }

  /** To be called between steps. */
  adapt(): void {
    const threads = this.#budget.chatThreads(this.#wanted);
    if (threads === this.#current) return;
    this.#context.setThreads(threads);
    this.#current = threads;
  }
}
