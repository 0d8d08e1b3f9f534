import { once } from 'node:events';
import AxeBuilder from 'axe-core';
import {
  chromium,
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  type Page,
  type Route,
} from 'playwright-core';
import { chromiumPath } from './browser.ts';
import { makeKey } from '../server/make-accounts.ts';
import type { RunningServer } from '../server/start-server.ts';

/** The page does much at once, on a machine that other tests keep busy. */
export const pagePatienceMs = 60_000;

export interface PageKeys {
  readonly user: string;
  readonly admin: string;
}

interface VisitOptions extends BrowserContextOptions {
  /** null: nobody is signed in. */
  readonly keys?: Partial<PageKeys> | null;
  /** Of another server. */
  readonly origin?: string;
  /** Whether models write titles of chats: requests that other tests did not send. */
  readonly titles?: boolean;
  /** Whether `page.clock` moves the time of the page on: nobody waits for its requests some seconds later. */
  readonly movesTime?: boolean;
}

/** A model of `GET /v1/models`. */
interface ListedModel {
  id: string;
  state: string;
  runs_elsewhere?: boolean;
  upstream_label?: string | null;
  capabilities: object;
}

const keysOf = new WeakMap<RunningServer, PageKeys>();

/** A key of either kind of the account `local`. */
const makeKeys = (server: RunningServer): PageKeys => ({
  admin: makeKey(server, 'local', { kind: 'admin' }).secret,
  user: makeKey(server, 'local').secret,
});

/** Chromium with the page of a server. */
export class PageBench implements AsyncDisposable {
  readonly #browser: Browser;
  readonly #server: RunningServer;
  readonly keys: PageKeys;
  /** Complaints of the browsers: exceptions, and refusals by the content security policy. */
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
    const keys = keysOf.get(server) ?? makeKeys(server);
    keysOf.set(server, keys);
    const browser = await chromium.launch({ executablePath: chromiumPath ?? '', args: [...args] });
    return new PageBench(browser, server, keys);
  }

  get origin(): string {
    return new URL(this.#server.baseUrl).origin;
  }

  /** A tab of its own storage, signed in with `keys`, at `hash`. */
  async visit(
    hash: string,
    {
      keys = this.keys,
      origin = this.origin,
      titles = false,
      movesTime = false,
      ...options
    }: VisitOptions = {},
  ): Promise<Page> {
    const context = await this.#browser.newContext({ viewport: { width: 1024, height: 800 }, ...options });
    if (movesTime) await context.clock.install();
    if (keys !== null)
      await context.addInitScript(
        ({ text, names }) => {
          // The script runs in the frame of a preview as well, which has no storage.
          if (Reflect.get(globalThis, 'top') !== globalThis) return;
          if (sessionStorage.getItem('hearth-keys') === null) sessionStorage.setItem('hearth-keys', text);
          if (!names) localStorage.setItem('hearth-titles', 'none');
        },
        { text: JSON.stringify(keys), names: titles },
      );
    return await this.visitIn(context, hash, origin);
  }

  /** Another tab of the same storage. */
  async visitIn(context: BrowserContext, hash: string, origin = this.origin): Promise<Page> {
    const page = await context.newPage();
    page.setDefaultTimeout(pagePatienceMs);
    page.on('request', (request) => this.requestedUrls.push(request.url()));
    page.on('pageerror', (error) => this.complaints.push(error.message));
    page.on('console', (message) => {
      if (/Content Security Policy|Uncaught/.test(message.text())) this.complaints.push(message.text());
    });
    await page.goto(`${origin}/#/${hash}`);
    return page;
  }

  /**
   * Has `page` be told other models than the server has, and those of the names `more`, which are like `tiny`. The list is fetched once, here: a handler that asks the server
   * itself may still wait for it when the tab is closed.
   */
  async changeModels(
    page: Page,
    change: (model: ListedModel) => void,
    more: readonly string[] = [],
  ): Promise<void> {
    const headers = { authorization: `Bearer ${this.keys.user}` };
    const response = await fetch(`${this.origin}/v1/models`, { headers });
    const json = (await response.json()) as { data: ListedModel[] };
    const [like] = json.data.filter(({ id }) => id === 'tiny');
    if (like !== undefined) json.data.push(...more.map((id) => ({ ...like, id })));
    json.data.forEach(change);
    await page.route('**/v1/models', (route) => route.fulfill({ json }));
  }

  /** The JSON that `path` of the admin API answers the operator. */
  async askAdmin<Answer>(method: string, path: string, body?: object): Promise<Answer> {
    const headers = { authorization: `Bearer ${this.keys.admin}`, 'content-type': 'application/json' };
    const request = { method, headers, body: body === undefined ? null : JSON.stringify(body) };
    return (await (await fetch(`${this.origin}/admin/v1/${path}`, request)).json()) as Answer;
  }

  /**
   * Closes all tabs: those of an earlier test would go on asking the server. A handler of a route that still works then
   * fails unheard.
   */
  async closeTabs(): Promise<void> {
    const contexts = this.#browser.contexts();
    const routed = [...contexts, ...contexts.flatMap((context) => context.pages())];
    await Promise.all(routed.map((one) => one.unrouteAll({ behavior: 'ignoreErrors' })));
    await Promise.all(contexts.map((context) => context.close()));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.closeTabs();
    await this.#browser.close();
  }
}

/**
 * Does `first` with the first request for `address`; later ones go their way. A route of Playwright that ends by itself
 * may lose a request of that moment.
 */
export async function routeFirst(
  page: Page,
  address: string,
  first: (route: Route) => Promise<unknown>,
): Promise<void> {
  let asked = 0;
  await page.route(address, async (route) => {
    asked += 1;
    await (asked === 1 ? first(route) : route.continue());
  });
}

/** Sends a message as a person would. */
export async function sendMessage(page: Page, text: string): Promise<void> {
  const composer = page.locator('#composer');
  await composer.fill(text);
  await composer.press('Enter');
}

/** Opens the settings of the chat, with the parts that few need. */
export async function openSettings(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Chat settings', exact: true }).click();
  for (const part of ['Sampling', 'Output format and tools']) {
    const details = page.locator('dialog[open] details', { hasText: part });
    if ((await details.getAttribute('open')) === null) await details.locator('summary').click();
  }
}

/** Chooses the model that answers, or the second one. */
export async function chooseModel(page: Page, model: string, label = 'Model'): Promise<void> {
  await page.getByRole('button', { name: new RegExp(`^${label}:`) }).click();
  await page.locator('.model-choice .item', { has: page.getByText(model, { exact: true }) }).click();
}

/** Has `model` answer each question beside the model that is chosen. */
export async function compareWith(page: Page, model: string): Promise<void> {
  await page.getByRole('button', { name: 'Compare with another model' }).click();
  await page.locator('.model-choice .item', { has: page.getByText(model, { exact: true }) }).click();
}

/** The texts of the finished answers, once there are `count`. */
export async function answersOf(page: Page, count: number): Promise<string[]> {
  await page
    .locator('.stats:visible')
    .nth(count - 1)
    .waitFor();
  // Until the code for Markdown is loaded, the text is shown as it was written. A model that ends its turn at once has
  // written none.
  const isRead = '.message.assistant:not(:has(.prose)), .message.assistant .prose:not(.plain)';
  await page.locator(isRead).first().waitFor({ state: 'attached' });
  // A message has no inner text before the browser has drawn it once.
  await page.evaluate('new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))');
  return await page.locator('.message.assistant .prose').allInnerTexts();
}

/** Sizes in the open dialog, which are the same wherever it was opened. */
export const dialogSizes = (page: Page): Promise<string> =>
  page.evaluate<string>(`(() => {
    const dialog = document.querySelector('dialog[open]');
    const fontOf = (selector) => getComputedStyle(dialog.querySelector(selector)).fontSize;
    const { width, height } = dialog.querySelector('header button').getBoundingClientRect();
    return \`title \${fontOf('h2')}, text \${fontOf('.dialog-body')}, close \${width} x \${height}\`;
  })()`);

/** Controls that are lower or narrower than 44 pixels. */
export const smallTargets = (page: Page) =>
  page.locator('button:visible, a:not(.skip):visible, select:visible, summary:visible').evaluateAll((all) =>
    all
      .map((one) => ({
        name: one.getAttribute('aria-label') ?? one.textContent,
        box: one.getBoundingClientRect(),
      }))
      .filter(({ box }) => box.width > 1 && (box.height < 44 || box.width < 44))
      .map(({ name, box }) => `${name} ${box.width}x${box.height}`),
  );

/** Fields with letters at which phones zoom in. */
export const smallFields = (page: Page): Promise<string[]> =>
  page.evaluate<string[]>(`[...document.querySelectorAll('input, select, textarea')]
    .filter((one) => !['checkbox', 'range', 'file'].includes(one.type) && one.checkVisibility())
    .map((one) => [parseFloat(getComputedStyle(one).fontSize), one.outerHTML])
    .filter(([pixels]) => pixels < 16)
    .map(String)`);

/** A phone that is pressed with fingers. */
export const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true } as const;

/** Findings of axe-core on the page as it is now, one line per finding. `rules`: only these. */
export async function accessibilityFindings(page: Page, rules?: readonly string[]): Promise<string[]> {
  // Read by the debugger, which the content security policy does not bind.
  if (!(await page.evaluate("'axe' in globalThis"))) await page.evaluate(AxeBuilder.source);
  return await page.evaluate(
    async (only) => {
      const { axe } = globalThis as unknown as { axe: typeof AxeBuilder };
      const { violations } = await axe.run(only === undefined ? {} : { runOnly: only });
      return violations.flatMap(({ id, nodes }) =>
        nodes.map(({ target, failureSummary }) => `${id}: ${target.join(' ')} ${failureSummary}`),
      );
    },
    rules as string[] | undefined,
  );
}

/** Resolves with the text of the file that the page saves when `act` is done. */
export async function savedBy(
  page: Page,
  act: () => Promise<void>,
  encoding: BufferEncoding = 'utf8',
): Promise<string> {
  const [download] = await Promise.all([page.waitForEvent('download'), act()]);
  const stream = await download.createReadStream();
  const chunks: Buffer[] = [];
  stream.on('data', (chunk: Buffer) => chunks.push(chunk));
  await once(stream, 'end');
  return Buffer.concat(chunks).toString(encoding);
}

/** The colours of the pixels of a canvas, in hex. */
export async function coloursIn(page: Page, selector: string): Promise<string[]> {
  return await page.locator(selector).evaluate((element) => {
    interface Canvas {
      readonly width: number;
      readonly height: number;
      getContext(kind: '2d'): {
        getImageData(x: number, y: number, width: number, height: number): { data: Uint8ClampedArray };
      };
    }
    const canvas = element as unknown as Canvas;
    const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
    const colours = new Set<string>();
    for (let at = 0; at < data.length; at += 4)
      colours.add([...data.subarray(at, at + 3)].map((part) => part.toString(16).padStart(2, '0')).join(''));
    return [...colours];
  });
}
