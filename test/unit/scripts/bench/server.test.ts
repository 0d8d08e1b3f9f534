import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { UsageError, parseArguments } from '../../../../scripts/bench/server/arguments.ts';
import { streamChat } from '../../../../scripts/bench/server/chat-request.ts';
import { summarize, turnOrder } from '../../../../scripts/bench/server/compare.ts';
import { measureRun } from '../../../../scripts/bench/server/measure.ts';
import type { Run } from '../../../../scripts/bench/server/measure.ts';
import { PromptWriter } from '../../../../scripts/bench/server/prompt-writer.ts';
import { renderTable } from '../../../../scripts/bench/server/report.ts';
import type { Scenario } from '../../../../scripts/bench/server/scenarios.ts';
import { quantile } from '../../../../src/cli/bench/statistics.ts';
import type { Target } from '../../../../scripts/bench/server/target.ts';

const scenario: Scenario = {
  kind: 'chat',
  clients: 2,
  promptTokens: 40,
  outputTokens: 3,
  requestsPerClient: 2,
};

describe('arguments of the bench', () => {
  it('expand to scenarios', () => {
    const parsed = parseArguments(['--url', 'http://h/v1/', '--clients', '1,8', '--prompt-tokens', '64,512']);
    if (parsed === 'help') throw new Error('not asked for');
    expect(parsed.urls).toEqual(['http://h/v1']);
    expect(parsed.scenarios.map(({ clients, promptTokens }) => [clients, promptTokens])).toEqual([
      [1, 64],
      [8, 64],
      [1, 512],
      [8, 512],
    ]);
  });

  it.for([
    [],
    ['--url', 'no url'],
    ['--url', 'http://h', '--clients', 'many'],
    ['--url', 'http://h', '--scenario', 'sleep'],
    ['--url', 'http://h', '--max-foreign', '2'],
    ['--url', 'http://h', '--what'],
    ['--url', 'http://h', '--url', 'http://i', '--url', 'http://j'],
  ])('that make no sense are named: %j', (argv) => {
    expect(() => parseArguments(argv)).toThrow(UsageError);
  });
});

describe('statistics', () => {
  it('interpolate', () => {
    expect(quantile([4, 1, 3, 2], 0.5)).toBe(2.5);
    expect(quantile([10], 0.99)).toBe(10);
    expect(quantile([], 0.5)).toBeUndefined();
  });

  it('pair the servers of one repetition', () => {
    expect([turnOrder(['A', 'B'], 0), turnOrder(['A', 'B'], 1)]).toEqual([
      ['A', 'B'],
      ['B', 'A'],
    ]);
    const [first, second] = [targetAt(1, 'A'), targetAt(2, 'B')];
    const runs = new Map([
      [first, [runOf(100), runOf(200), runOf(400)]],
      [second, [runOf(50), runOf(200), runOf(800)]],
    ]);
    const result = summarize(scenario, [first, second], runs);
    expect(result.ratios?.outputTokensPerSecond).toEqual({ median: 1, min: 0.5, max: 2 });
    expect(renderTable([result])).toContain('B/A');
    expect(renderTable([result])).toContain('1.00 [0.50–2.00]');
  });
});

describe('a run', () => {
  it('measures what a server streams', async () => {
    const target = await startFakeServer(['a', 'b', 'c']);
    const { metrics, firstError } = await measureRun(scenario, target, new PromptWriter(1, 0), 'seed');
    expect(firstError).toBeUndefined();
    expect(metrics).toMatchObject({ requests: 4, errors: 0, promptTokens: 9, cachedTokens: 2 });
    expect(metrics.timeToFirstTokenP50Ms).toBeGreaterThan(0);
    expect(metrics.interTokenP50Ms).toBeGreaterThan(5);
    expect(metrics.longestGapMs).toBeGreaterThanOrEqual(metrics.interTokenP99Ms ?? Infinity);
    expect(metrics.outputTokensPerSecond).toBeGreaterThan(0);
  });

  it('tells what went wrong', async () => {
    const refused = await streamChat({ ...(await startFakeServer([])), apiKey: 'wrong' }, [], 3);
    expect(refused.error).toContain('HTTP 401');
    const unreachable = await streamChat(targetAt(1, 'A'), [], 3);
    expect(unreachable.error).toMatch(/ECONNREFUSED|EACCES|connect/);
    const empty = await streamChat(await startFakeServer([]), [], 3);
    expect(empty.error).toBe('the stream ended early');
  });
});

function targetAt(port: number, name: string): Target {
  return { name, baseUrl: `http://127.0.0.1:${port}/v1`, model: 'fake', apiKey: undefined, pid: undefined };
}

function runOf(outputTokensPerSecond: number): Run {
  const unknown = undefined;
  const metrics = {
    outputTokensPerSecond,
    timeToFirstTokenP50Ms: unknown,
    timeToFirstTokenP95Ms: unknown,
    interTokenP50Ms: unknown,
    interTokenP95Ms: unknown,
    interTokenP99Ms: unknown,
    longestGapMs: unknown,
    promptTokens: unknown,
    cachedTokens: unknown,
    peakRssMiB: unknown,
    cpuMsPerToken: unknown,
    requests: 1,
    errors: 0,
  };
  return { metrics, firstError: undefined, foreignCpuShare: undefined };
}

/** A server that streams these pieces 15 ms apart to the key `right`. */
async function startFakeServer(pieces: readonly string[]): Promise<Target> {
  const server = createServer((request, response) => {
    if (request.headers.authorization !== 'Bearer right') {
      response.writeHead(401).end('{"error": {"message": "no"}}');
      return;
    }
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    const usage = {
      prompt_tokens: 9,
      completion_tokens: pieces.length,
      prompt_tokens_details: { cached_tokens: 2 },
    };
    const events = [
      ...pieces.map((content) => JSON.stringify({ choices: [{ delta: { content } }] })),
      JSON.stringify({ choices: [], usage }),
      '[DONE]',
    ];
    const timer = setInterval(() => {
      const data = events.shift();
      if (data !== undefined) response.write(`data: ${data}\n\n`);
      if (events.length > 0) return;
      clearInterval(timer);
      response.end();
    }, 15);
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  onTestFinished(() => {
    server.close();
  });
  return { ...targetAt((server.address() as AddressInfo).port, 'A'), apiKey: 'right' };
}
