import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { postChat, toErrorAnswer } from '../../support/server/chat-client.ts';
import { useChatServer } from '../../support/server/chat-fixture.ts';
import { watchHealth } from '../../support/watch/health-watch.ts';

const chat = useChatServer();
const bodyBytes = 4 * 2 ** 20;
const greeting = '"model":"tiny","max_tokens":1,"messages":[{"role":"user","content":"Hi"}]';
const filled = (piece: string, begin: string, end: string) =>
  begin + piece.repeat(Math.floor((bodyBytes - begin.length - end.length) / piece.length)) + end;

// Again where the machine was too busy to tell.
describe('a body of 4 MiB', { retry: 2 }, () => {
  it.each([
    ['of lists in lists', `{${greeting},"x":${'['.repeat(2 ** 20)}${']'.repeat(2 ** 20)}}`],
    ['of objects', filled('{},', `{${greeting},"x":[`, '1]}')],
    ['of fields', filled('"field":1,', `{${greeting},`, '"last":1}')],
    ['of numbers', filled('7,', `{${greeting},"x":[`, '1]}')],
    ['of messages that are none', filled('{},', '{"model":"tiny","messages":[', '{}]}')],
  ])('%s is refused, and nobody else waits for it', async (_, body) => {
    const { delayMs } = await watchHealth(chat().server, async () => {
      const { status, error } = await toErrorAnswer(await postChat(chat().server, body));
      expect(status).toBe(400);
      expect(error.message).toContain('more than 100000 objects, arrays and fields');
    });
    expect(delayMs).toBeLessThan(300);
  });
});

describe.skipIf(process.platform !== 'linux')('many bodies of 4 MiB at once (skipped but on Linux)', () => {
  // All are read to their end, which a busy machine does not do within the usual minute.
  it(
    'are worked on a few at a time, and a small one does not wait until all are done',
    { timeout: 240_000 },
    async () => {
      const { server } = chat();
      const peakMebibytes = () =>
        Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${server.pid}/status`, 'utf8'))?.[1]) / 1024;
      await postChat(server, `{${greeting}}`);
      const before = peakMebibytes();
      const large = JSON.stringify({
        model: 'tiny',
        messages: [{ role: 'user', content: 'a '.repeat(bodyBytes / 2 - 100) }],
      });
      const bodies = 24;
      let done = 0;
      const all = Array.from({ length: bodies }, async () => {
        const { error } = await toErrorAnswer(await postChat(server, large));
        done += 1;
        return error.code;
      });
      await expect.poll(() => done, { timeout: 30_000 }).toBeGreaterThan(0);
      expect((await postChat(server, `{${greeting}}`)).status).toBe(200);
      expect(done).toBeLessThan(bodies);
      // The server refuses one that had no turn within a minute, which happens where the machine is busy.
      const codes = new Set(await Promise.all(all));
      expect([['context_length_exceeded'], ['context_length_exceeded', 'server_overloaded']]).toContainEqual(
        [...codes].toSorted(),
      );
      expect(peakMebibytes() - before).toBeLessThan(400);
    },
  );
});
