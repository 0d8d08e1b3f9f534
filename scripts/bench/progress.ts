/**
 * How true the time is that is left by `prompt_progress`, as `hearth chat` and the page tell it. Prompts of several
 * lengths are read alone, and beside clients that have answers written all the time.
 *
 *   node scripts/bench/progress.ts [--tokens 1500,4000,9000] [--busy 3]
 *
 * The error is the distance between the foretold end and the real one, in shares of the time that the whole prompt took;
 * the first second of each prompt does not count. Only prompts of more than five seconds are held against 20 %.
 */
import { rm } from 'node:fs/promises';
import { loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import { PromptClock, type PromptProgress } from '../../src/timing/prompt-clock.ts';
import { createModelsDir, tinyModel } from '../../test/support/models/tiny-model.ts';
import { startServer } from '../../test/support/server/start-server.ts';
import { randomWords } from '../../src/cli/bench/random-words.ts';
import { quantile } from '../../src/cli/bench/statistics.ts';

const { values } = parseArgs({
  options: {
    tokens: { type: 'string', default: '1500,4000,9000' },
    busy: { type: 'string', default: '3' },
  },
});

await using stack = new AsyncDisposableStack();
const shape = { hiddenSize: 256, layers: 6, headCount: 4, headCountKv: 2, feedForwardSize: 768 };
const model = await tinyModel({ ...shape, contextTokens: 32_768, endOfTurnGain: 0 });
const modelsDir = await createModelsDir({ model });
stack.defer(() => rm(modelsDir, { recursive: true, force: true }));
const server = await startServer({ modelsDirs: [modelsDir], config: { loadTimeout: '5m' } });
stack.defer(async () => void (await server.stop()));

const post = (body: object, signal?: AbortSignal) =>
  fetch(`${server.baseUrl}/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${server.apiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'model', stream: true, ...body }),
    ...(signal && { signal }),
  });

/** The lengths of a prompt's reading, and the errors of its estimates. */
async function read(words: number) {
  const messages = [{ role: 'user', content: randomWords(words, Math.random) }];
  const text = await (await post({ messages, max_tokens: 1, return_progress: true })).text();
  const told = [...text.matchAll(/"prompt_progress":(\{[^}]*\})/g)].map(
    ([, json]) => JSON.parse(json ?? '') as PromptProgress,
  );
  const wholeMs = told.at(-1)?.time_ms ?? 0;
  const clock = new PromptClock();
  const errors = told
    .map((one) => ({ ...one, leftMs: clock.leftMs(one) }))
    .filter((one) => one.time_ms >= 1000 && one.processed > one.cache && one.processed < one.total)
    .map(({ leftMs, time_ms: ms }) => Math.abs(ms + leftMs - wholeMs) / wholeMs);
  return { tokens: told.at(-1)?.total ?? 0, wholeMs, errors };
}

const percent = (share: number | undefined) => (share === undefined ? '-' : `${(share * 100).toFixed(0)} %`);
/** By two short prompts: the words of a prompt for so many tokens. */
const few = await read(100);
const many = await read(600);
const tokensPerWord = (many.tokens - few.tokens) / 500;

process.stdout.write(`load of the machine: ${loadavg()[0]?.toFixed(1)}\n`);
process.stdout.write(
  '| clients beside it | tokens | seconds | median error | worst | within 20 % |\n| --: | --: | --: | --: | --: | --: |\n',
);
for (const busy of [0, Number(values.busy)]) {
  const leaving = new AbortController();
  const beside = Array.from({ length: busy }, async () => {
    const messages = [{ role: 'user', content: 'A story' }];
    while (!leaving.signal.aborted)
      await post({ messages, max_tokens: 4000 }, leaving.signal)
        .then((response) => response.text())
        .catch(() => undefined);
  });
  for (const tokens of values.tokens.split(',').map(Number)) {
    const { tokens: real, wholeMs, errors } = await read(Math.round(tokens / tokensPerWord));
    const within = errors.filter((error) => error <= 0.2).length / errors.length;
    const row = [
      busy,
      real,
      (wholeMs / 1000).toFixed(1),
      percent(quantile(errors, 0.5)),
      percent(quantile(errors, 1)),
      percent(within),
    ];
    process.stdout.write(`| ${row.join(' | ')} |\n`);
    if (wholeMs > 5000 && (quantile(errors, 0.5) ?? 0) > 0.2) process.exitCode = 1;
  }
  leaving.abort();
  await Promise.all(beside);
}
