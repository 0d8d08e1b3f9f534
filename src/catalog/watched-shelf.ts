import { dirname } from 'node:path';
import { Worker } from 'node:worker_threads';
import { programBeside } from '../engine/processes/watch-child.ts';
import { messageOf } from '../words/describe-error.ts';
import { waitFor } from '../timing/wait-for.ts';
import type { Shelf, FolderContents, ShelvedModel, ShelvedProjector } from './model-shelf.ts';
import type { Pulled } from './pulls/pulled-files.ts';
import type { ShelfQuestion, ShelfReply } from './shelf-worker.ts';
import type { CatalogLog } from './types.ts';

/** How many folders may leave a thread without an answer; the files in others are looked at no more then. */
const mostUnanswered = 4;
/** How long a folder is waited for before the next is looked at. Its first look reads the headers of all its files. */
const firstAnswerMs = 5000;
const answerMs = 2000;
const nothing: FolderContents = {
  models: [],
  projectors: [],
  unserved: [],
  errorCode: undefined,
  isUnknown: true,
};

interface Asked {
  readonly question: ShelfQuestion;
  answer: unknown;
  isAnswered: boolean;
}

/**
 * A shelf that answers at once, from memory: a thread looks for it. A folder of another machine that does not answer for
 * minutes holds up that thread, another looks into the other folders, and its last answer counts.
 */
export class WatchedShelf implements Shelf {
  readonly #log: CatalogLog;
  readonly #said = new Set<string>();
  /** By the folder that has to answer, and by the question. */
  readonly #places = new Map<string, Map<string, Asked>>();
  readonly #unanswered = new Set<string>();
  #free: Worker | undefined;
  /** Whether some answer is another than when this was set to false. */
  hasNews = false;

  constructor(log: CatalogLog) {
    this.#log = log;
  }

  scan(folder: string): FolderContents {
    // A question's method decides the type of its answer.
    return (this.#known(folder, 'scan', folder) ?? nothing) as FolderContents;
  }

  open(path: string): ShelvedModel | undefined {
    return this.#known(dirname(path), 'open', path) as ShelvedModel | undefined;
  }

  openProjector(path: string): ShelvedProjector | undefined {
    return this.#known(dirname(path), 'openProjector', path) as ShelvedProjector | undefined;
  }

  versionOf(path: string): string | undefined {
    return this.#known(dirname(path), 'versionOf', path) as string | undefined;
  }

  findPulled(folder: string, key: string): Pulled | undefined {
    return this.#known(folder, 'findPulled', folder, key) as Pulled | undefined;
  }

  filesIn(folder: string): readonly string[] {
    return (this.#known(dirname(folder), 'filesIn', folder) ?? []) as readonly string[];
  }

  warnOnce(path: string, message: string): void {
    this.#writeOnce('warn', path, message);
  }

  /** The same answers, for somebody who only wants to know the questions that will come. */
  get withoutWords(): Shelf {
    return {
      scan: (folder) => this.scan(folder),
      open: (path) => this.open(path),
      openProjector: (path) => this.openProjector(path),
      versionOf: (path) => this.versionOf(path),
      findPulled: (folder, key) => this.findPulled(folder, key),
      filesIn: (folder) => this.filesIn(folder),
      warnOnce: () => undefined,
    };
  }

  /** Whether something was asked that was not looked for yet. */
  get isAskedNews(): boolean {
    return [...this.#places.values()].some((asked) =>
      [...asked.values()].some(({ isAnswered }) => !isAnswered),
    );
  }

  /** Looks for everything that was ever asked, or asked of the folder `only`. */
  async look(only?: string): Promise<void> {
    for (const [place, asked] of this.#places)
      if ((only ?? place) === place && !this.#unanswered.has(place) && this.#unanswered.size < mostUnanswered)
        await this.#ask(place, [...asked.values()]);
  }

  /** Ends the thread that looks. */
  close(): void {
    void this.#free?.terminate();
  }

  #known(place: string, method: ShelfQuestion['method'], path: string, key = ''): unknown {
    const asked = this.#places.get(place) ?? new Map<string, Asked>();
    this.#places.set(place, asked);
    const name = [method, path, key].join('\0');
    const known = asked.get(name) ?? {
      question: { method, path, key },
      answer: undefined,
      isAnswered: false,
    };
    asked.set(name, known);
    return known.answer;
  }

  async #ask(place: string, asked: readonly Asked[]): Promise<void> {
    const worker = this.#free ?? new Worker(programBeside(import.meta.url, 'shelf-worker'));
    worker.unref();
    this.#free = undefined;
    this.#unanswered.add(place);
    const answered = this.#answersOf(worker, asked).finally(() => this.#unanswered.delete(place));
    const timeoutMs = asked.every(({ isAnswered }) => isAnswered) ? answerMs : firstAnswerMs;
    const timeoutError = () => new Error('it does not answer: what was known of it counts until it does');
    try {
      await waitFor(answered, { timeoutMs, timeoutError });
      this.#free = worker;
    } catch (error) {
      this.#log.warn({ path: place }, messageOf(error));
      // The thread knows less than the one after it: it ends when its folder answers.
      void answered
        .then(() => this.#log.info({ path: place }, 'it answers again'))
        .catch(() => undefined)
        .finally(() => void worker.terminate());
    }
  }

  async #answersOf(worker: Worker, asked: readonly Asked[]): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<readonly unknown[] | undefined>();
    const hear = (reply: ShelfReply) => {
      if ('answers' in reply) resolve(reply.answers);
      else this.#writeOnce(reply.level, reply.path, reply.line);
    };
    worker.on('message', hear).once('error', reject);
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- threads have no origins
    worker.postMessage(asked.map(({ question }) => question));
    const answers = await promise;
    worker.off('message', hear).off('error', reject);
    asked.forEach((one, index) => {
      if (answers !== undefined) one.answer = answers[index];
      one.isAnswered = true;
    });
    this.hasNews ||= answers !== undefined;
  }

  #writeOnce(level: 'debug' | 'info' | 'warn', path: string, message: string): void {
    const key = `${path}\0${message}`;
    if (this.#said.has(key)) return;
    this.#said.add(key);
    this.#log[level]({ path }, message);
  }
}
