import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium, type Page } from 'playwright-core';
import { cliPath, servePage } from './serve-page.ts';

// Makes the pictures of the page in the README: a real server with the demo model, used for a moment, in Chromium.
// node scripts/make/screenshots.ts [CHROMIUM], after npm run build:web.

const root = fileURLToPath(new URL('../..', import.meta.url));
const outDir = join(root, 'docs/screenshots');
const publicDir = join(root, 'src/web/public');
const viewport = { width: 1280, height: 800 };
const maxBytes = 100_000;

const dataDir = mkdtempSync(join(tmpdir(), 'hearth-screenshots-'));
function hearth(...args: readonly string[]): Record<string, string> {
  const command = [cliPath, ...args, '--json', '--data-dir', dataDir];
  return JSON.parse(execFileSync(process.execPath, command, { cwd: dataDir, encoding: 'utf8' })) as Record<
    string,
    string
  >;
}

/** Encoded by the browser itself, in a tab without the page's policy. */
async function toWebp(png: Buffer, page: Page): Promise<Buffer> {
  const base64 = await page.evaluate(`(async () => {
    const image = new Image();
    image.src = 'data:image/png;base64,${png.toString('base64')}';
    await image.decode();
    const canvas = Object.assign(document.createElement('canvas'), { width: image.width, height: image.height });
    canvas.getContext('2d').drawImage(image, 0, 0);
    return canvas.toDataURL('image/webp', 0.9).split(',')[1];
  })()`);
  return Buffer.from(String(base64), 'base64');
}

const server = await servePage(dataDir);
const { url } = server;
const browser = await chromium.launch({ executablePath: process.argv[2] ?? '/usr/bin/chromium' });
try {
  mkdirSync(outDir, { recursive: true });
  const account = ['keys', 'create', '--account', 'local'];
  const secrets = {
    user: hearth(...account, '--name', 'laptop')['secret'],
    admin: hearth(...account, '--admin', '--name', 'owner')['secret'],
  };
  hearth('accounts', 'create', 'workshop');
  hearth('keys', 'create', '--account', 'workshop', '--name', 'guests');
  const context = await browser.newContext({ viewport, colorScheme: 'light' });
  await context.addInitScript((text) => sessionStorage.setItem('hearth-keys', text), JSON.stringify(secrets));
  const page = await context.newPage();
  const blank = await browser.newPage();
  const take = async (name: string): Promise<void> => {
    const webp = await toWebp(await page.screenshot(), blank);
    if (webp.length > maxBytes) throw new Error(`${name} has ${webp.length} bytes`);
    writeFileSync(join(outDir, `${name}.webp`), webp);
    process.stdout.write(`${name}: ${webp.length} bytes\n`);
  };
  // The model is loaded by then, as it is for most people most of the time.
  await context.request.post(new URL('/v1/chat/completions', url).href, {
    headers: { authorization: `Bearer ${secrets.user}` },
    data: { model: 'hearth-demo', messages: [{ role: 'user', content: 'Hello' }] },
  });
  await page.goto(`${url}#/chat`);
  const questions = ['What is hearth?', 'What is 3 plus 4?', 'Which plans are there?'];
  for (const [index, question] of questions.entries()) {
    await page.locator('#composer').fill(question);
    await page.keyboard.press('Enter');
    await page.locator('.stats').nth(index).waitFor();
  }
  await take('chat');
  for (const view of ['keys', 'usage']) {
    await page.goto(`${url}#/${view}`);
    if (view === 'keys')
      await page.locator('.account').getByRole('button', { name: 'local', exact: true }).click();
    await page
      .locator(view === 'usage' ? 'canvas' : '.key .bar')
      .first()
      .waitFor();
    await take(view);
  }
  // For home screens that take no SVG, and that may cut its corners off.
  const icon = readFileSync(join(publicDir, 'icon.svg'), 'utf8');
  await blank.setViewportSize({ width: 512, height: 512 });
  await blank.setContent(
    `<body style="margin: 0; background: #faf8f5"><div style="width: 320px; margin: 96px">${icon}</div>`,
  );
  await blank.screenshot({ path: join(publicDir, 'assets/icon-1.png') });
} finally {
  await browser.close();
  server.stop();
  rmSync(dataDir, { recursive: true, force: true });
}
