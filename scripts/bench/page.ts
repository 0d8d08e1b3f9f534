import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { parseArgs } from 'node:util';
import { chromium, type CDPSession, type Page } from 'playwright-core';
import { servePage } from '../make/serve-page.ts';

// Measures the page in Chromium: the bytes of the first visit and its time, the frames of a bare page for comparison,
// those while an answer streams below 200 long messages, those while a long list, table and code stream, and the heap
// while answers stream without a pause. Each answer is deleted when it has come, since chats that are kept take memory
// of their own. node scripts/bench/page.ts [--minutes 5] [--chromium PATH], after npm run build:web.

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '5' },
    chromium: { type: 'string', default: '/usr/bin/chromium' },
  },
});
const dataDir = mkdtempSync(join(tmpdir(), 'hearth-bench-page-'));
const apiKey = 'hearth-bench-key-0123456789';

/** Milliseconds per word of the models that run elsewhere: one as fast as a GPU, and one that reads along. */
const wordMs = { talker: 4, reader: 40 };

const piecesOf = (text: string): readonly string[] => text.match(/[\s\S]{1,16}/g) ?? [];
const lines = (count: number, line: (number: number) => string) =>
  Array.from({ length: count }, (_, index) => line(index + 1)).join('\n');

/** Answers to questions, in pieces; any other question gets 2,000 words. */
const answers: Readonly<Record<string, readonly string[]>> = {
  'A list of 900 items': piecesOf(lines(900, (number) => `${number}. An item with **some** \`words\``)),
  'A loose list of 300 items': piecesOf(lines(300, (number) => `- Item ${number} with **some** words\n`)),
  'A table of 300 rows': piecesOf(
    `| Name | Size | Colour | Price |\n|---|--:|---|--:|\n${lines(300, (number) => `| **row** ${number} | ${number * 7} | red | ${number}.50 |`)}`,
  ),
  'Code of 1,500 lines': piecesOf(
    `\`\`\`ts\n${lines(1500, (number) => `export const value${number} = compute('text', ${number});`)}\n\`\`\`\n`,
  ),
};
const words = Array.from({ length: 2000 }, (_, index) =>
  (index + 1) % 25 === 0 ? 'word.\n\n' : '**word** ',
);

/** Answers as `answers` has it. */
async function talk(request: IncomingMessage, response: ServerResponse): Promise<void> {
  if (request.url !== '/v1/chat/completions') {
    response.writeHead(404).end();
    return;
  }
  const { model, messages } = (await json(request)) as {
    model: keyof typeof wordMs;
    messages: { content: string }[];
  };
  const pieces = answers[messages.at(-1)?.content ?? ''] ?? words;
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  const head = { id: 'c', object: 'chat.completion.chunk', created: 1, model };
  const send = (delta: object, finish: string | null = null) =>
    response.write(
      `data: ${JSON.stringify({ ...head, choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`,
    );
  let count = 0;
  const timer = setInterval(() => {
    send({ content: pieces[count] });
    count += 1;
    if (count < pieces.length) return;
    clearInterval(timer);
    send({}, 'stop');
    const usage = { prompt_tokens: 400_000, completion_tokens: 2000, total_tokens: 402_000 };
    response.write(`data: ${JSON.stringify({ ...head, choices: [], usage })}\n\n`);
    response.end('data: [DONE]\n\n');
  }, wordMs[model]);
  response.on('close', () => clearInterval(timer));
}

const talker = createServer((request, response) => void talk(request, response));
talker.listen(0, '127.0.0.1');
await once(talker, 'listening');
const { port } = talker.address() as AddressInfo;
const upstream = { url: `http://127.0.0.1:${port}/v1` };
writeFileSync(
  join(dataDir, 'hearth.yaml'),
  JSON.stringify({
    models: Object.keys(wordMs).map((id) => ({ id, kind: 'chat', context: 1_000_000, upstream })),
  }),
);
/** A conversation of `count` messages of about 2,000 tokens each, as the page exports them. */
function longConversation(count: number): string {
  const paragraph =
    'The quick brown fox jumps over the lazy dog, **again and again**, and `counts` to ten.\n\n';
  const content = `${paragraph.repeat(80)}\n\`\`\`ts\nconst answer = 42;\n\`\`\`\n`;
  const messages = Array.from({ length: count }, (_, index) => ({
    id: `m${index}`,
    parentId: index === 0 ? null : `m${index - 1}`,
    role: index % 2 === 0 ? 'user' : 'assistant',
    content,
  }));
  const conversation = {
    id: 'long',
    title: 'Long',
    updatedAtMs: 1,
    settings: {},
    messages,
    leafId: `m${count - 1}`,
  };
  return JSON.stringify({ format: 'hearth-chats', version: 1, conversations: [conversation] });
}

/** Milliseconds of every frame until the function that comes back is called. */
async function watchFrames(page: Page): Promise<() => Promise<number[]>> {
  await page.evaluate(`(() => {
    globalThis.frames = [];
    let last = performance.now();
    const tick = (now) => {
      if (globalThis.frames === undefined) return;
      frames.push(now - last);
      last = now;
      requestAnimationFrame(tick);
    };
    requestAnimationFrame(tick);
  })()`);
  // Watching ends with that: the list would grow, and the heap is measured later.
  return () =>
    page.evaluate<number[]>('(() => { const all = frames; delete globalThis.frames; return all; })()');
}

async function heapMegabytes(session: CDPSession): Promise<number> {
  await session.send('HeapProfiler.collectGarbage');
  const { usedSize } = await session.send('Runtime.getHeapUsage');
  return Math.round(usedSize / 1e5) / 10;
}

async function ask(page: Page, question: string): Promise<void> {
  const before = await page.locator('.stats').count();
  await page.locator('#composer').fill(question);
  await page.keyboard.press('Enter');
  await page.locator('.stats').nth(before).waitFor({ timeout: 300_000 });
}

async function chooseModel(page: Page, id: string): Promise<void> {
  await page.getByRole('button', { name: /^Model:/ }).click();
  await page.locator('.model-choice .item', { has: page.getByText(id, { exact: true }) }).click();
}

async function deleteChat(page: Page, title: string): Promise<void> {
  await page.getByRole('link', { name: title }).hover();
  await page.getByRole('button', { name: `More: ${title}` }).click();
  await page.locator('.sheet-over').getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('link', { name: title }).waitFor({ state: 'detached' });
}

const print = (line: string): void => void process.stdout.write(`${line}\n`);
const server = await servePage(dataDir, { HEARTH_API_KEY: apiKey });
const { url } = server;
const browser = await chromium.launch({ executablePath: values.chromium });
try {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
  await context.addInitScript(
    (text) => sessionStorage.setItem('hearth-keys', text),
    JSON.stringify({ user: apiKey }),
  );
  const page = await context.newPage();
  const session = await context.newCDPSession(page);
  await session.send('Network.enable');
  let loadedBytes = 0;
  session.on('Network.loadingFinished', ({ encodedDataLength }) => (loadedBytes += encodedDataLength));
  for (const visit of ['first', 'second', 'third']) {
    loadedBytes = 0;
    const startMs = performance.now();
    await page.goto(url);
    await page.locator('#composer').waitFor();
    print(
      `${visit} visit: ${Math.round(performance.now() - startMs)} ms until one can write, ${Math.round(loadedBytes / 100) / 10} kB of at most 60`,
    );
    await page.goto('about:blank');
  }
  await page.goto(url);
  await chooseModel(page, 'talker');
  const file = {
    name: 'long.json',
    mimeType: 'application/json',
    buffer: Buffer.from(longConversation(200)),
  };
  await page.locator('.list-tools input').setInputFiles(file);
  await page.getByRole('link', { name: 'Long' }).click();
  await page.locator('.message').nth(199).waitFor();
  const watch = async (what: string, watched: Page, act: () => Promise<void>) => {
    const frames = await watchFrames(watched);
    await act();
    const longest = (await frames()).slice(2).toSorted((one, other) => other - one);
    print(
      `${what}: ${longest.length} frames, the longest ${longest.slice(0, 3).map(Math.round).join(', ')} ms, ` +
        `${longest.filter((ms) => ms > 50).length} over 50 ms`,
    );
  };
  const askWatched = async (question: string, what = question) =>
    await watch(what, page, async () => {
      await ask(page, question);
      // Code gets its colours after the end.
      await page.waitForTimeout(1000);
    });
  // The lateness of the machine itself: the same clock on a page that shows a growing number and nothing else.
  const bare = await context.newPage();
  await bare.evaluate('setInterval(() => (document.body.textContent = performance.now()), 16)');
  await watch('a bare page for 10 s', bare, () => bare.waitForTimeout(10_000));
  await bare.close();
  await askWatched('And now?', '2,000 words below 200 messages of 2,000 tokens');
  for (const question of Object.keys(answers)) {
    await page.goto(`${url}#/chat`);
    await page.locator('.welcome').waitFor();
    await askWatched(question);
  }
  await chooseModel(page, 'reader');
  const endMs = performance.now() + Number(values.minutes) * 60_000;
  for (let count = 1; performance.now() < endMs; count += 1) {
    await page.goto(`${url}#/chat`);
    await ask(page, 'Read to me');
    await deleteChat(page, 'Read to me');
    if (count % 5 === 1) print(`heap after ${count} answers: ${await heapMegabytes(session)} MB`);
  }
  print(`heap at the end: ${await heapMegabytes(session)} MB`);
  await page.reload();
  await page.locator('.conversations li').first().waitFor();
  print(`heap after a reload: ${await heapMegabytes(session)} MB`);
} finally {
  await browser.close();
  server.stop();
  talker.close();
  rmSync(dataDir, { recursive: true, force: true });
}
