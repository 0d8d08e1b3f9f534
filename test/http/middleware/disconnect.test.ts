import { once } from 'node:events';
import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { chatRequest, hello, listen, userKey } from '../../support/fakes/http-service.ts';
import type { Service } from '../../support/fakes/http-service.ts';

let service: Service;
beforeEach(async () => {
  service = await listen({ streamPingMs: 50, streamStallMs: 300 });
});
afterEach(() => service.close());

/** A raw connection that has sent `body` as a chat request, `announcedBytes` of it at least. */
async function send(body: string, announcedBytes = Buffer.byteLength(body)): Promise<Socket> {
  const socket = connect(service.port, '127.0.0.1');
  await once(socket, 'connect');
  socket.on('error', () => {});
  socket.write(
    `POST /v1/chat/completions HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer ${userKey}\r\n` +
      `content-type: application/json\r\ncontent-length: ${announcedBytes}\r\n\r\n${body}`,
  );
  return socket;
}

const calls = () => service.engine.calls.length;
const line = () => service.logLines.find((text) => text.includes('"request"')) ?? '';

describe.each([
  { stream: false, when: 'before the start', before: [{ waitMs: 20_000 }], steps: [], status: 499 },
  { stream: true, when: 'before the start', before: [{ waitMs: 20_000 }], steps: [], status: 499 },
  {
    stream: false,
    when: 'while it generates',
    before: [],
    steps: [{ text: 'a' }, { waitMs: 20_000 }],
    status: 499,
  },
  {
    stream: true,
    when: 'while it generates',
    before: [],
    steps: [{ text: 'a' }, { waitMs: 20_000 }],
    status: 200,
  },
])('a client that leaves $when (stream: $stream)', ({ stream, before, steps, status }) => {
  it.each(['end', 'reset'] as const)(
    'by %s stops the generation at once and pays for what was computed',
    async (how) => {
      service.engine.script = { before, steps };
      const socket = await send(JSON.stringify({ ...hello, stream }));
      await expect.poll(calls).toBe(1);
      await new Promise((resolve) => {
        setTimeout(resolve, 30);
      });
      const leftAtMs = performance.now();
      if (how === 'end') socket.destroy();
      else socket.resetAndDestroy();
      const end = await service.engine.lastCall.end;
      // And not when the next token comes.
      expect(performance.now() - leftAtMs).toBeLessThan(5000);
      expect(end.outcome).toBe('aborted');
      await expect.poll(() => service.limiter.settlements.length).toBe(1);
      expect(service.limiter.lastSettlement).toMatchObject({ status, refundRequest: false, ...end.usage });
      await expect.poll(line).toContain('"clientLeft":true');
      expect(service.logLines.filter((text) => text.includes('"level":"error"'))).toEqual([]);
    },
  );
});

it('a client that leaves in the middle of its body is no error', async () => {
  const socket = await send('{"model":', 5000);
  await new Promise((resolve) => {
    setTimeout(resolve, 50);
  });
  socket.destroy();
  await expect.poll(line).toContain('"status":499');
  expect(service.logLines.join('')).not.toContain('"level":"error"');
});

describe('a client that takes nothing', () => {
  const longText = 'x'.repeat(64 * 1024);

  it('is read for no faster than it takes, holds up nobody, and counts as gone after a while', async () => {
    const steps = Array.from({ length: 400 }, () => ({ text: longText }));
    service.engine.script = { steps: [...steps, { waitMs: 20_000 }] };
    const socket = await send(JSON.stringify({ ...hello, stream: true }));
    socket.pause();
    await expect.poll(calls).toBe(1);
    const stuck = service.engine.lastCall;

    service.engine.script = { steps: [{ text: 'quick' }] };
    const [path, init] = chatRequest(hello);
    expect((await fetch(service.origin + path, init)).status).toBe(200);

    expect((await stuck.end).outcome).toBe('aborted');
    await expect.poll(() => service.limiter.settlements.length).toBe(2);
    socket.resume();
    await once(socket, 'close');
    // Socket buffers take some; the rest of the 25 MiB was never turned into events.
    expect(socket.bytesRead).toBeLessThan(20 * 1024 * 1024);
  });

  it('but then does, in time, gets everything', async () => {
    const steps = Array.from({ length: 100 }, () => ({ text: longText }));
    service.engine.script = { steps };
    const socket = await send(JSON.stringify({ ...hello, stream: true }));
    socket.pause();
    await new Promise((resolve) => {
      setTimeout(resolve, 150);
    });
    let tail = '';
    socket.on('data', (bytes) => {
      tail = (tail + bytes.toString()).slice(-100);
    });
    socket.resume();
    await expect.poll(() => tail).toContain('data: [DONE]');
    expect(socket.bytesRead).toBeGreaterThan(100 * longText.length);
    socket.destroy();
  });
});
