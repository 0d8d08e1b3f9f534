import { readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { chatMlTemplate } from '../../../scripts/make/tiny-model/write-tiny-model.ts';
import { completeChat, openClient, postChat, toErrorAnswer } from '../../support/server/chat-client.ts';
import { oneThread } from '../../support/server/chat-fixture.ts';
import { watchHealth } from '../../support/watch/health-watch.ts';
import { useLimitedServer } from '../../support/server/limits-fixture.ts';
import { startServer, type RunningServer } from '../../support/server/start-server.ts';
import { createModelsDir, tinyModel } from '../../support/models/tiny-model.ts';
import { childrenOf } from '../../support/watch/child-processes.ts';

/** Harm that templates do once somebody says `boom`, and not before. */
const harms = {
  recursion: '{% macro again(n) %}{{ again(n + 1) }}{% endmacro %}{{ again(0) }}',
  loops:
    '{% for a in range(100000) %}{% for b in range(100000) %}{% set c = a * b %}{% endfor %}{% endfor %}',
  doubling:
    "{% set all = namespace(text='0123456789') %}{% for i in range(60) %}{% set all.text = all.text + all.text %}{% endfor %}{{ all.text | length }}",
};
const hostileTemplate = (harm: string) =>
  `{% if messages[0]['content'] == 'boom' %}${harm}{% endif %}${chatMlTemplate}`;
const boom = [{ role: 'user', content: 'boom' }];

const properties = (count: number, schema: unknown) =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`p${index}`, schema]));
const objectOf = (name: string) => ({
  type: 'object',
  properties: { [name]: { type: 'integer' }, any: { type: 'string' } },
});
const nasty: Readonly<Record<string, object>> = {
  'an enum beside a pattern that backtracks': {
    type: 'string',
    enum: [`${'a'.repeat(60)}!`],
    pattern: '^(a+)+$',
  },
  'many values beside many patterns': {
    type: 'string',
    enum: Array.from({ length: 10_000 }, (_, index) => `value ${index} ${'b'.repeat(20)}`),
    allOf: Array.from({ length: 50 }, (_, index) => ({ pattern: `^.*b.*b.*b.*${index}?$` })),
  },
  'many repetitions in repetitions': {
    type: 'object',
    properties: Object.fromEntries(
      Array.from('abcdefghijklmnopqrst', (letter) => [
        letter,
        { type: 'string', pattern: `^((${letter}{1,30}){1,30}){1,30}$` },
      ]),
    ),
  },
  'oneOf of many objects, many times': {
    type: 'object',
    properties: properties(30, { oneOf: Array.from({ length: 20 }, (_, index) => objectOf(`q${index}`)) }),
  },
  'a large enum of objects': { enum: Array.from({ length: 8000 }, (_, index) => ({ id: index, of: {} })) },
};
const formatOf = (schema: object) => ({
  type: 'json_schema',
  json_schema: { name: 'answer', schema },
});
/** Refused after all the work that a schema may take, and never the same, so that nothing is remembered. */
let different = 0;
const endless = () =>
  formatOf({
    type: 'object',
    properties: { [`p${different++}`]: nasty['many repetitions in repetitions'] },
  });

const most = { waitMs: 300, answerMs: 15_000 };
/** Between two requests of somebody who chats. */
const pauseMs = 50;
/** Seconds after which a request may come again that had no 2 s of processor time in 5 s, because the machine is busy. */
const soon = '2';
const limited = useLimitedServer({}, { parallel: 2 }, async () =>
  Object.fromEntries(
    await Promise.all(
      Object.entries(harms).map(
        async ([id, harm]) => [id, await tinyModel({ chatTemplate: hostileTemplate(harm) })] as const,
      ),
    ),
  ),
);
let attacker: Pick<RunningServer, 'baseUrl' | 'apiKey'>;
let other: Pick<RunningServer, 'baseUrl' | 'apiKey'>;
beforeAll(async () => {
  const { server, createKey } = limited();
  attacker = { ...server, apiKey: createKey('attacker', 'unlimited').secret };
  other = { ...server, apiKey: createKey('other', 'unlimited').secret };
  for (const model of ['tiny', ...Object.keys(harms)])
    await completeChat(openClient(other), model, 'Hi', { max_tokens: 1 });
}, 120_000);

/** How long others wait while `attack` goes on: for the server, and for answers of `model`. */
async function waitsBeside(model: string, attack: () => Promise<unknown>) {
  const { server } = limited();
  const over = new AbortController();
  let answersOfOthers = 0;
  let longestAnswerMs = 0;
  const chatting = async () => {
    while (!over.signal.aborted) {
      const startedAtMs = performance.now();
      await completeChat(openClient(other), model, 'Hi', { max_tokens: 1 });
      longestAnswerMs = Math.max(longestAnswerMs, performance.now() - startedAtMs);
      answersOfOthers++;
      // Answers without a pause would take a processor from those who are watched.
      await setTimeout(pauseMs);
    }
  };
  const startedAtMs = performance.now();
  const { delayMs } = await watchHealth(server, async () => {
    const others = chatting();
    try {
      await attack();
    } finally {
      over.abort();
      await others;
    }
  });
  return {
    longestHealthMs: delayMs,
    longestAnswerMs,
    answersOfOthers,
    tookMs: performance.now() - startedAtMs,
  };
}

describe('a template that comes to no end for some messages', () => {
  it.for(Object.keys(harms))('ends these requests, and disturbs no others: %s', async (model) => {
    const waits = await waitsBeside(model, async () => {
      const answers = Array.from({ length: 2 }, async () =>
        toErrorAnswer(await postChat(attacker, { model, messages: boom })),
      );
      for (const { status, headers, error } of await Promise.all(answers))
        if (status === 503) expect(headers.get('retry-after')).toBe(soon);
        else
          expect({ status, error }).toMatchObject({
            status: 400,
            error: { code: 'invalid_value', param: 'messages', message: expect.stringMatching(/template/) },
          });
    });
    expect(waits.longestHealthMs).toBeLessThan(most.waitMs);
    expect(waits.tookMs).toBeLessThan(most.answerMs);
    expect(waits.answersOfOthers).toBeGreaterThan(0);
  });
});

describe('a schema that is hard to compile', () => {
  it.for(Object.keys(nasty))('is answered, and disturbs no others: %s', async (name) => {
    const body = {
      model: 'tiny',
      messages: boom,
      max_tokens: 5,
      response_format: formatOf(nasty[name] ?? {}),
    };
    let answerMs = 0;
    const ask = async () => {
      const startedAtMs = performance.now();
      const answer = await postChat(attacker, body);
      answerMs = Math.max(answerMs, performance.now() - startedAtMs);
      return answer;
    };
    const waits = await waitsBeside('tiny', async () => {
      let answer = await ask();
      // A machine that is busy with other tests has the client come again, and each answer has a time of its own.
      for (; answer.status === 503; answer = await ask())
        expect(answer.headers.get('retry-after')).toBe(soon);
      expect([200, 400]).toContain(answer.status);
      if (answer.status === 200) return;
      const { error } = await toErrorAnswer(answer);
      expect(['schema_too_complex', 'invalid_json_schema']).toContain(error.code);
      expect(error.param).toMatch(/^response_format\.json_schema\.schema/);
    });
    expect(waits.longestHealthMs).toBeLessThan(most.waitMs);
    expect(answerMs).toBeLessThan(most.answerMs);
    const startedAtMs = performance.now();
    await (await postChat(attacker, body)).text();
    expect(performance.now() - startedAtMs).toBeLessThan(1000);
  });

  it('is told from the other tools of the request', async () => {
    const tools = [{ type: 'integer' }, nasty['many repetitions in repetitions']].map((schema, index) => ({
      type: 'function',
      function: {
        name: `f${index}`,
        // Tools that are not are held as far as they can be.
        strict: true,
        parameters: { type: 'object', properties: { a: schema }, additionalProperties: false },
      },
    }));
    const answer = await postChat(attacker, { model: 'tiny', messages: boom, tools, max_tokens: 5 });
    expect(await toErrorAnswer(answer)).toMatchObject({
      status: 400,
      error: {
        code: expect.stringMatching(/^(schema_too_complex|invalid_json_schema)$/),
        param: expect.stringMatching(/^tools\[1\]\.function\.parameters/),
      },
    });
  });
});

it('one key that sends only such requests leaves room for the others', async () => {
  const waits = await waitsBeside('tiny', async () => {
    const requests = Array.from({ length: 4 }, (_, index) =>
      index % 2 === 0
        ? { model: 'loops', messages: boom }
        : { model: 'tiny', messages: boom, response_format: endless(), max_tokens: 1 },
    );
    const answers = await Promise.all(requests.map((request) => postChat(attacker, request)));
    for (const { status, headers } of answers)
      if (status !== 400) expect([status, headers.get('retry-after')]).toEqual([503, soon]);
  });
  expect(waits.longestHealthMs).toBeLessThan(most.waitMs);
  expect(waits.answersOfOthers).toBeGreaterThan(3);
});

describe('the server', () => {
  const stack = new AsyncDisposableStack();
  afterAll(() => stack.disposeAsync());
  const start = async (): Promise<RunningServer> => {
    const file = await tinyModel({ chatTemplate: hostileTemplate(harms.loops) });
    const modelsDir = await createModelsDir({ loops: file });
    stack.defer(() => rm(modelsDir, { recursive: true, force: true }));
    const server = await startServer({
      modelsDirs: [modelsDir],
      config: { models: [{ id: 'loops', ...oneThread }] },
    });
    await completeChat(openClient(server), 'loops', 'Hi', { max_tokens: 1 });
    return server;
  };

  it('stops in time while a template comes to no end', async () => {
    const server = await start();
    const answer = postChat(server, { model: 'loops', messages: boom }).then(
      ({ status }) => status,
      () => 0,
    );
    await setTimeout(300);
    const startedAtMs = performance.now();
    expect(await server.stop()).toEqual({ code: 0, signal: null });
    expect(performance.now() - startedAtMs).toBeLessThan(10_000);
    expect([0, 400, 503]).toContain(await answer);
  });

  it.runIf(process.platform === 'linux')('leaves no process behind, even when it is killed', async () => {
    const server = await start();
    const children = childrenOf(server.pid);
    expect(children.length).toBeGreaterThanOrEqual(2);
    postChat(server, { model: 'loops', messages: boom }).catch(() => undefined);
    await setTimeout(300);
    await server.kill();
    await vi.waitUntil(() => children.every((pid) => !isRunning(pid)), 10_000);
  });
});

/** A process that nobody has taken leave of is gone as well. */
const isRunning = (pid: number) => /^State:\s+[^Z]/m.test(statusOf(String(pid)));

function statusOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/status`, 'utf8');
  } catch {
    return '';
  }
}
