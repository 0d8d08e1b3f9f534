import { parentPort } from 'node:worker_threads';
import { ModelShelf } from './model-shelf.ts';

export interface ShelfQuestion {
  readonly method: 'scan' | 'open' | 'openProjector' | 'versionOf' | 'findPulled' | 'filesIn';
  readonly path: string;
  readonly key: string;
}

/** Lines for the log, and then the answers in the order of the questions; undefined: as they were the last time. */
export type ShelfReply =
  | { readonly level: 'debug' | 'info' | 'warn'; readonly path: string; readonly line: string }
  | { readonly answers: readonly unknown[] | undefined };

// oxlint-disable-next-line unicorn/require-post-message-target-origin -- threads have no origins
const reply = (message: ShelfReply) => parentPort?.postMessage(message);
const write = (level: 'debug' | 'info' | 'warn') => (fields: { readonly path?: unknown }, line: string) =>
  reply({ level, path: String(fields.path), line });
const shelf = new ModelShelf({ debug: write('debug'), info: write('info'), warn: write('warn') });
const lastAnswers = new Map<string, string>();

parentPort?.on('message', (questions: readonly ShelfQuestion[]) => {
  const answers = questions.map(({ method, path, key }) => shelf[method](path, key));
  const asked = JSON.stringify(questions);
  const text = JSON.stringify(answers);
  reply({ answers: lastAnswers.get(asked) === text ? undefined : answers });
  lastAnswers.set(asked, text);
});
