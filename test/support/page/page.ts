import { once } from 'node:events';
import AxeBuilder from 'axe-core';
import {
  chromium,
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  type Page,
} from 'playwright-core';
import { chromiumPath } from './browser.ts';
import { hearthCli } from '../server/hearth-cli.ts';
import type { RunningServer } from '../server/start-server.ts';

/** The page does much at once, on a machine that other tests keep busy. */
export const pagePatienceMs = 60_000;

export interface PageKeys {
  readonly user: string;
  readonly admin: string;
}

/** Chromium with the page of a server. */
export class PageBench implements AsyncDisposable {
  readonly #browser: Browser;
  readonly #server: RunningServer;
  readonly keys: PageKeys;
  /** What the browsers complained of: exceptions, and what the content security policy refused. */
  readonly complaints: string[] = [];
  /** Every address that was asked for. */
  readonly requestedUrls: string[] = [];

  private constructor(browser: Browser, server: RunningServer, keys: PageKeys) {
    this.#browser = browser;
    this.#server = server;
    this.keys = keys;
  }

  /** With a key of either kind; `args` are further ones of Chromium. */
  static async open(server: RunningServer, args: readonly string[] = []): Promise<PageBench> {
    const browser = await chromium.launch({ executablePath: chromiumPath ?? '', args: [...args] });
    const makeKey = async (...more: readonly string[]) =>
      (await hearthCli<{ secret: string }>(server, 'keys', 'create', '--account', 'local', ...more)).secret;
    return new PageBench(browser, server, { user: await makeKey(), admin: await makeKey('--admin') });
  }

  get origin(): string {
    return new URL(this.#server.baseUrl).origin;
  }

  /** A tab of its own storage, signed in with `keys` unless they are undefined, at `hash`. */
  async visit(
    hash: string,
    { keys = this.keys, ...options }: BrowserContextOptions & { keys?: Partial<PageKeys> | null } = {},
  ): Promise<Page> {
    const context = await this.#browser.newContext({ viewport: { width: 1024, height: 800 }, ...options });
    if (keys !== null)
      await context.addInitScript((text) => {
        if (sessionStorage.getItem('hearth-keys') === null) sessionStorage.setItem('hearth-keys', text);
      }, JSON.stringify(keys));
    return await this.visitIn(context, hash);
  }

  /** Another tab of the same storage. */
  async visitIn(context: BrowserContext, hash: string): Promise<Page> {
    const page = await context.newPage();
    page.setDefaultTimeout(pagePatienceMs);
    page.on('request', (request) => this.requestedUrls.push(request.url()));
    page.on('pageerror', (error) => this.complaints.push(error.message));
    page.on('console', (message) => {
      if (/Content Security Policy|Uncaught/.test(message.text())) this.complaints.push(message.text());
    });
    await page.goto(`${this.origin}/#/${hash}`);
    return page;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#browser.close();
  }
}

/** Sends a message as a person would. */
export async function sendMessage(page: Page, text: string): Promise<void> {
  await page.locator('#composer').fill(text);
  await page.keyboard.press('Enter');
}

/** The texts of the finished answers, once there are `count`. */
export async function answersOf(page: Page, count: number): Promise<string[]> {
  await page
    .locator('.stats')
    .nth(count - 1)
    .waitFor();
  // A message has no inner text before the browser has drawn it once.
  await page.evaluate('new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))');
  return await page.locator('.message.assistant .prose').allInnerTexts();
}

/** What axe-core finds on the page as it is now, one line per finding. */
export async function accessibilityFindings(page: Page): Promise<string[]> {
  // Read by the debugger, which the content security policy does not bind.
  await page.evaluate(AxeBuilder.source);
  return await page.evaluate(async () => {
    const { violations } = await (globalThis as unknown as { axe: typeof AxeBuilder }).axe.run();
    return violations.flatMap(({ id, nodes }) =>
      nodes.map(({ target, failureSummary }) => `${id}: ${target.join(' ')} ${failureSummary}`),
    );
  });
}

/** Resolves with the text of the file that the page saves when `act` is done. */
export async function savedBy(page: Page, act: () => Promise<void>): Promise<string> {
  const [download] = await Promise.all([page.waitForEvent('download'), act()]);
  const stream = await download.createReadStream();
  const chunks: Buffer[] = [];
  stream.on('data', (chunk: Buffer) => chunks.push(chunk));
  await once(stream, 'end');
  return Buffer.concat(chunks).toString('utf8');
}
