import { connect, type Socket } from 'node:net';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { Hono } from 'hono';
import { afterAll, it } from 'vitest';
import type { AppEnv } from '../../../src/api/env.ts';
import { createHttpServer } from '../../../src/api/http-server.ts';
import { buildApp, hello, userKey } from '../../support/fakes/http-service.ts';

// Long enough for a busy machine to do in time all that is to be done in time.
const limits = { headMs: 1500, keepAliveMs: 400, bodyBytes: 64, bodyMs: 1000, unreadMs: 400, maxIdle: 4 };
const services: Service[] = [];
afterAll(() => {
  for (const { server } of services) {
    server.closeAllConnections();
    server.close();
  }
});

interface Service {
  readonly server: ReturnType<typeof createHttpServer>;
  readonly engine: ReturnType<typeof buildApp>['engine'];
  /** A connection, the bytes that came over it so far, and when the server ended it. */
  readonly open: () => { socket: Socket; ended: Promise<void>; received: () => string };
}

async function serve(): Promise<Service> {
  const { app, log, engine } = buildApp();
  const server = createHttpServer(app, log, { limits });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' ? (address?.port ?? 0) : 0;
  const open = () => {
    const socket = connect(port, '127.0.0.1').on('error', () => undefined);
    let received = '';
    socket.on('data', (piece) => (received += String(piece)));
    const ended = new Promise<void>((resolve) => socket.once('close', () => resolve()));
    return { socket, ended, received: () => received };
  };
  const service = { server, engine, open };
  services.push(service);
  return service;
}

const post = (length: number) =>
  `POST /v1/chat/completions HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${userKey}\r\n` +
  `Content-Type: application/json\r\nContent-Length: ${length}\r\n\r\n`;

// They wait for time to pass: they do so side by side, each at a server of its own.
it.concurrent.for([
  ['sends nothing', '', ''],
  ['sends half a head', 'GET /healthz HTTP/1.1\r\nHost: loc', '408 Request Timeout'],
  ['sends half a body', `${post(500)}{"model":`, '408 Request Timeout'],
  ['asks without a host, as HTTP/1.0 may', 'GET /healthz HTTP/1.0\r\n\r\n', '200 OK'],
  ['sends nothing after its answer', 'GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n', '200 OK'],
] as const)('a connection that %s is ended', async ([, text, answer], { expect }) => {
  const { open } = await serve();
  const { socket, ended, received } = open();
  socket.write(text);
  await ended;
  expect(received()).toContain(answer);
});

it.concurrent('a body that trickles is refused, however long it goes on', async ({ expect }) => {
  const { open } = await serve();
  const { socket, ended, received } = open();
  socket.write(post(5000));
  const timer = setInterval(() => socket.write(' '), 20);
  await ended;
  clearInterval(timer);
  expect(received()).toContain('408 Request Timeout');
  expect(received()).toContain(
    '"message":"The request did not come in time, so nothing was done. Send it again."',
  );
});

it.for([
  ['head', ''],
  ['body', post(JSON.stringify(hello).length)],
] as const)(
  'a %s that came while the server itself stood still is read',
  async ([, sentBefore], { expect }) => {
    const { open } = await serve();
    const body = JSON.stringify(hello);
    const { socket, received } = open();
    socket.write(sentBefore);
    await sleep(300);
    // Timers follow this in the event loop, and sockets are read after them: the rest lies in the kernel until then.
    await nextTurn();
    socket.write(`${post(body.length)}${body}`.slice(sentBefore.length));
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2 * limits.headMs);
    await expect.poll(received).toContain('200 OK');
  },
);

it.concurrent('a body that comes slowly but steadily is read to its end', async ({ expect }) => {
  const { open } = await serve();
  const { socket, received } = open();
  const body = JSON.stringify({ ...hello, user: 'x'.repeat(800) });
  socket.write(post(body.length));
  for (let at = 0; at < body.length; at += 20) {
    socket.write(body.slice(at, at + 20));
    await sleep(30);
  }
  await expect.poll(received).toContain('200 OK');
});

it.concurrent('an answer that takes long, and one that streams for long, come to their end', async ({
  expect,
}) => {
  const { open, engine } = await serve();
  const steps = Array.from({ length: 4 }, () => [{ waitMs: 300 }, { text: 'a' }]).flat();
  engine.script = { before: [{ waitMs: 1000 }], steps };
  const answers = [false, true].map(async (stream) => {
    const body = JSON.stringify({ ...hello, stream });
    const { socket, received } = open();
    socket.write(post(body.length) + body);
    await expect.poll(received).toContain(stream ? '[DONE]' : '"finish_reason":"stop"');
  });
  await Promise.all(answers);
});

it('an answer that nobody takes is given up', async ({ expect }) => {
  const { open, engine, server } = await serve();
  engine.script = { steps: [{ text: 'x'.repeat(30 * 2 ** 20) }] };
  const body = JSON.stringify(hello);
  const { socket } = open();
  socket.pause();
  socket.write(post(body.length) + body);
  const connections = () => promisify(server.getConnections.bind(server))();
  await expect.poll(connections).toBe(1);
  await expect.poll(connections).toBe(0);
});

it.concurrent('of many connections that wait the oldest is closed, and new ones are served', async ({
  expect,
}) => {
  const { open } = await serve();
  const idle = Array.from({ length: 4 }, open);
  await expect.poll(() => countOpen(idle.map(({ socket }) => socket))).toBe(4);
  const busy = open();
  busy.socket.write('GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n');
  await expect.poll(busy.received).toContain('200 OK');
  await idle[0]?.ended;
  expect(idle[3]?.socket.destroyed).toBe(false);
});

const countOpen = (sockets: readonly Socket[]) =>
  sockets.filter(({ readyState }) => readyState === 'open').length;

it('requests that come together begin in many turns of the event loop, and are answered in order', async ({
  expect,
}) => {
  let turn = 0;
  let isOver = false;
  const count = () => {
    turn += 1;
    if (!isOver) setImmediate(count);
  };
  const turns: number[] = [];
  const app = new Hono<AppEnv>().get('*', (c) => {
    turns.push(turn);
    return c.text(`n${c.req.query('n')}`);
  });
  const busy = createHttpServer(app, buildApp().log);
  await new Promise<void>((resolve) => busy.listen(0, '127.0.0.1', resolve));
  const address = busy.address();
  const socket = connect(typeof address === 'object' ? (address?.port ?? 0) : 0, '127.0.0.1');
  let received = '';
  socket.on('data', (piece) => (received += String(piece)));
  count();
  const gets = Array.from({ length: 200 }, (_, n) => `GET /?n=${n} HTTP/1.1\r\nHost: localhost\r\n\r\n`);
  socket.write(gets.join(''));
  await expect.poll(() => received).toContain('n199');
  isOver = true;
  busy.closeAllConnections();
  busy.close();

  const together = [...Map.groupBy(turns, (at) => at).values()];
  expect(Math.max(...together.map(({ length }) => length))).toBeLessThan(20);
  expect(received.match(/\bn\d+/g)).toEqual(gets.map((_, n) => `n${n}`));
});
