import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectError } from '../../support/wire/error-envelope.ts';
import { listen } from '../../support/fakes/http-service.ts';
import type { Service } from '../../support/fakes/http-service.ts';

let service: Service;
beforeAll(async () => {
  service = await listen();
});
afterAll(() => service.close());

const get = (path: string) => fetch(service.origin + path);

describe('/docs', () => {
  it('may run and load only what comes from the same origin', async () => {
    const response = await get('/docs');
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
    const policy = response.headers.get('content-security-policy')?.split('; ') ?? [];
    expect(policy).toContain("default-src 'self'");
    for (const directive of policy) expect(directive).toMatch(/^[\w-]+( 'none'| 'self'( data: blob:)?)$/);
    expect(await response.text()).not.toContain('://');
  });

  it('comes with all files that it names', async () => {
    const html = await (await get('/docs')).text();
    const names = [...html.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, name]) => name);
    expect(names.length).toBeGreaterThan(4);
    for (const name of names) {
      const response = await fetch(`${service.origin}/${name}`, { headers: { accept: 'text/html, */*' } });
      expect(response.status, name).toBe(200);
      expect(response.headers.get('x-content-type-options'), name).toBe('nosniff');
      expect((await response.bytes()).length, name).toBeGreaterThan(100);
    }
  });

  it('follows the theme that the page was set to, as the handbook does', async () => {
    expect(await (await get('/docs/settings')).text()).toContain('<script src="theme.js">');
    expect(await (await get('/docs/palette.css')).text()).toContain('light-dark(');
  });

  it.each(['/handbook', '/docs/handbook'])('leads from %s to the pages of the handbook', async (path) => {
    expect((await get(path)).url).toBe(`${service.origin}/docs/pages`);
  });

  it('has each file only once sent to a client that keeps it', async () => {
    const etag = (await get('/docs/docs.css')).headers.get('etag') ?? '';
    const again = await fetch(`${service.origin}/docs/docs.css`, {
      headers: { 'if-none-match': etag },
    });
    expect(again.status).toBe(304);
  });

  it.each([
    'index.html',
    'package.json',
    'handbook.js.map',
    '%2e%2e%2fpackage.json',
    '..%5cpackage.json',
    'constructor',
  ])('has no file %s', async (name) => {
    await expectError(await get(`/docs/${name}`), 'not_found');
  });
});

describe('/docs/pages', () => {
  it('is searched by a list of the parts of all pages, which are there', async () => {
    const parts = (await (await get('/docs/search.json')).json()) as { href: string; text: string }[];
    expect(parts.length).toBeGreaterThan(100);
    const budgets = parts.find(({ href }) => href === 'limits#budgets');
    expect(budgets?.text).toMatch(/budget/);
    for (const page of new Set(parts.map(({ href }) => href.split('#', 1)[0])))
      expect((await get(`/docs/${page}`)).status, page).toBe(200);
  });

  it('tells people who have a wrong address so, with the way to all pages', async () => {
    const missing = await fetch(`${service.origin}/docs/nothing`, { headers: { accept: 'text/html' } });
    expect([missing.status, missing.headers.get('content-type')?.split(';')[0]]).toEqual([404, 'text/html']);
    expect(await missing.text()).toMatch(/No such page[^]*href="limits"/);
  });

  /** Addresses in the page at `path`, as paths. */
  async function linksOf(path: string): Promise<string[]> {
    const html = await (await get(path)).text();
    const targets = Array.from(html.matchAll(/(?:src|href)="([^"#]+)[^"]*"/g), ([, target = '']) => target);
    return targets.map((target) => new URL(target, service.origin + path).pathname);
  }

  it('has links to the parts of the page that is read, and to the next page', async () => {
    const html = await (await get('/docs/limits')).text();
    const parts = Array.from(html.matchAll(/<li><a href="#([^"]+)"/g), ([, part]) => part);
    expect(parts).toContain('budgets');
    for (const part of parts) expect(html).toContain(`<h2 id="${part}">`);
    expect(html).toMatch(/Next: <a href="[a-z-]+">/);
  });

  it('leads to every page, and each loads only what is there', async () => {
    const pages = new Set((await linksOf('/docs/pages')).filter((path) => /^\/docs\/[a-z-]+$/.test(path)));
    expect(pages.size).toBeGreaterThan(10);
    for (const page of pages) {
      const response = await get(page);
      expect(response.headers.get('content-type'), page).toBe('text/html; charset=utf-8');
      expect(response.headers.get('content-security-policy')).toContain("default-src 'none'");
      for (const path of new Set(await linksOf(page))) expect((await get(path)).status, path).toBe(200);
    }
  });
});
