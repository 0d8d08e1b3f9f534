import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { LiveCatalog } from '../../../../src/catalog/catalog.ts';
import { DownloadError } from '../../../../src/catalog/download/download-error.ts';
import type { PullProgress } from '../../../../src/catalog/download/progress-reporter.ts';
import { removePulled } from '../../../../src/catalog/pulls/pulled-files.ts';
import { serveBytes } from '../../../support/files/file-server.ts';
import { ggufFile } from '../../../support/models/model-files.ts';
import { PullBench, seededModel } from '../../../support/files/pull-bench.ts';

const silent = { debug: () => undefined, info: () => undefined, warn: () => undefined };

let bench: PullBench;

beforeEach(async () => {
  bench = await PullBench.open();
});
afterEach(() => bench.close());

describe('pullModel', () => {
  it('brings a model of a repository, byte for byte, and the catalog serves it', async () => {
    const bytes = seededModel(1);
    bench.putRepository({
      'm-Q8_0.gguf': bytes,
      'm-Q4_0.gguf': seededModel(2),
      'README.md': Buffer.from('#'),
    });
    const progress: PullProgress[] = [];
    const pulled = await bench.pull('hf:Owner/Repo:Q8_0', { onProgress: (step) => progress.push(step) });
    expect(pulled).toMatchObject({ path: bench.targetPath(), sizeBytes: bytes.length, wasThere: false });
    expect(readFileSync(bench.targetPath()).equals(bytes)).toBe(true);
    expect(progress.at(-1)).toMatchObject({ receivedBytes: bytes.length, totalBytes: bytes.length });
    expect(readdirSync(join(bench.folder, 'Owner/Repo')).sort()).toEqual([
      '.m-Q8_0.gguf.pull.json',
      'm-Q8_0.gguf',
    ]);
    const entries = [{ id: 'mine', source: 'hf:Owner/Repo:q8_0' }];
    const catalog = new LiveCatalog({ folders: [], pulledFolder: bench.folder, entries, log: silent });
    expect(catalog.list()).toMatchObject([{ id: 'mine', path: bench.targetPath() }]);
    expect(await bench.pull('hf:Owner/Repo:Q8_0')).toMatchObject({ wasThere: true });
    expect(bench.downloads()).toHaveLength(1);
    removePulled(bench.targetPath());
    expect(readdirSync(join(bench.folder, 'Owner/Repo'))).toEqual([]);
  });

  it('goes on where the connection broke', async () => {
    const bytes = seededModel(1);
    bench.putRepository({ 'm-Q8_0.gguf': bytes }, { cutAfterBytes: 70_000 });
    await bench.pull('hf:Owner/Repo:Q8_0');
    expect(readFileSync(bench.targetPath()).equals(bytes)).toBe(true);
    const ranges = bench.downloads();
    expect(ranges.length).toBeGreaterThan(4);
    expect(ranges[1]).toBe('bytes=70000-');
  });

  it('goes on in a later run', async () => {
    const bytes = seededModel(1);
    bench.putRepository({ 'm-Q8_0.gguf': bytes }, { cutAfterBytes: 100_000, cuts: 1 });
    await expect(bench.pull('hf:Owner/Repo:Q8_0', { maxFailures: 1 })).rejects.toThrow(DownloadError);
    expect(readFileSync(`${bench.targetPath()}.part`).length).toBe(100_000);
    await bench.pull('hf:Owner/Repo:Q8_0');
    expect(bench.downloads()).toEqual([undefined, 'bytes=100000-']);
    expect(readFileSync(bench.targetPath()).equals(bytes)).toBe(true);
  });

  it('begins anew where the server knows no ranges', async () => {
    const bytes = seededModel(1);
    bench.putRepository({ 'm-Q8_0.gguf': bytes }, { cutAfterBytes: 100_000, cuts: 2, ranges: false });
    await bench.pull('hf:Owner/Repo:Q8_0');
    expect(readFileSync(bench.targetPath()).equals(bytes)).toBe(true);
  });

  it('begins anew when the file changed meanwhile', async () => {
    let bytes = seededModel(1);
    let etag = '"one"';
    const handler = serveBytes(() => bytes, { etag: () => etag, cutAfterBytes: 100_000, cuts: 1 });
    bench.server.handlers.set('/m.gguf', handler);
    await expect(bench.pull(`${bench.server.origin}/m.gguf`, { maxFailures: 1 })).rejects.toThrow(
      DownloadError,
    );
    bytes = seededModel(2);
    etag = '"two"';
    const { path } = await bench.pull(`${bench.server.origin}/m.gguf`);
    expect(readFileSync(path).equals(bytes)).toBe(true);
  });

  it('notices another file behind a server that ignores If-Range', async () => {
    const [first, second] = [seededModel(1), seededModel(2)];
    let calls = 0;
    bench.server.handlers.set('/m.gguf', (request, response) => {
      calls++;
      const bytes = calls === 1 ? first : second;
      const etag = (): string => (calls === 1 ? '"one"' : '"two"');
      delete request.headers['if-range'];
      serveBytes(() => bytes, { etag, ...(calls === 1 ? { cutAfterBytes: 100_000 } : {}) })(
        request,
        response,
      );
    });
    const { path } = await bench.pull(`${bench.server.origin}/m.gguf`);
    expect(readFileSync(path).equals(second)).toBe(true);
    expect(calls).toBe(3);
  });

  it('fetches a part anew whose halves do not belong together', async () => {
    const bytes = seededModel(1);
    bench.putRepository({ 'm-Q8_0.gguf': bytes }, { cutAfterBytes: 100_000, cuts: 1 });
    await expect(bench.pull('hf:Owner/Repo:Q8_0', { maxFailures: 1 })).rejects.toThrow(DownloadError);
    writeFileSync(`${bench.targetPath()}.part`, Buffer.alloc(100_000, 'damage'));
    await bench.pull('hf:Owner/Repo:Q8_0');
    expect(readFileSync(bench.targetPath()).equals(bytes)).toBe(true);
  });

  it('gives up on a server that stalls, and keeps what came', async () => {
    const bytes = seededModel(1);
    bench.putRepository({ 'm-Q8_0.gguf': bytes });
    bench.server.handlers.set('/Owner/Repo/resolve/main/m-Q8_0.gguf', (_request, response) => {
      response.writeHead(200, { 'content-length': bytes.length, etag: '"v1"' });
      response.write(bytes.subarray(0, 50_000));
    });
    const stalled = bench.pull('hf:Owner/Repo:Q8_0', { stallTimeoutMs: 2000, maxFailures: 1 });
    await expect(stalled).rejects.toThrow(/sent nothing/);
    expect(readFileSync(`${bench.targetPath()}.part`).length).toBe(50_000);
  });

  it('gives up on a server that never answers', async () => {
    bench.server.handlers.set('/m.gguf', () => undefined);
    const stalled = bench.pull(`${bench.server.origin}/m.gguf`, { stallTimeoutMs: 50, maxFailures: 2 });
    await expect(stalled).rejects.toThrow(/sent nothing/);
    expect(bench.server.requests).toHaveLength(2);
  });

  it('tries again after 429 and 503, but not after 404', async () => {
    const bytes = seededModel(1);
    const statuses = [429, 503];
    bench.server.handlers.set('/m.gguf', (request, response) => {
      const status = statuses.shift();
      if (status === undefined) serveBytes(() => bytes)(request, response);
      else response.writeHead(status).end();
    });
    const notes: (string | undefined)[] = [];
    await bench.pull(`${bench.server.origin}/m.gguf`, { onProgress: ({ note }) => notes.push(note) });
    expect(notes.filter((note) => note !== undefined)).toHaveLength(2);
    bench.server.requests.length = 0;
    await expect(bench.pull(`${bench.server.origin}/none.gguf`)).rejects.toThrow(/does not exist/);
    expect(bench.server.requests).toHaveLength(1);
  });

  it('goes through the proxy of the environment', async () => {
    const bytes = seededModel(1);
    bench.server.handlers.set(
      '/m.gguf',
      serveBytes(() => bytes),
    );
    const env = { http_proxy: bench.server.origin };
    const { path } = await bench.pull('http://nowhere.example/m.gguf', { env });
    expect(readFileSync(path).equals(bytes)).toBe(true);
    expect(bench.server.requests[0]).toMatchObject({ url: 'http://nowhere.example/m.gguf' });
  });

  it('asks that proxy for a tunnel where the server speaks https', async () => {
    const targets: unknown[] = [];
    const proxy = createServer().on('connect', ({ url }, socket) => {
      targets.push(url);
      socket.end('HTTP/1.1 403 Forbidden\r\n\r\n');
    });
    await once(proxy.listen(0, '127.0.0.1'), 'listening');
    const env = { HTTPS_PROXY: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}` };
    const pull = bench.pull('https://nowhere.example/m.gguf', { env, maxFailures: 1 });
    await expect(pull).rejects.toThrow(DownloadError);
    proxy.close();
    expect(targets).toEqual(['nowhere.example:443']);
  });

  it('joins two pulls of one source into one', async () => {
    const bytes = seededModel(1);
    bench.putRepository({ 'm-Q8_0.gguf': bytes });
    const seen: number[] = [];
    const both = await Promise.all([
      bench.pull('hf:Owner/Repo:Q8_0'),
      bench.pull('hf:Owner/Repo:q8_0', { onProgress: ({ receivedBytes }) => seen.push(receivedBytes) }),
      bench.pull('hf:Owner/Repo:m-Q8_0.gguf'),
    ]);
    expect(new Set(both.map(({ path }) => path))).toEqual(new Set([bench.targetPath()]));
    expect(seen.at(-1)).toBe(bytes.length);
    expect(bench.downloads()).toHaveLength(1);
  });

  it('waits for another process that pulls the same, and takes over from one that is gone', async () => {
    const bytes = seededModel(1);
    bench.putRepository({ 'm-Q8_0.gguf': bytes });
    const lock = join(bench.folder, 'Owner/Repo/.m-Q8_0.gguf.lock');
    mkdirSync(join(bench.folder, 'Owner/Repo'), { recursive: true });
    writeFileSync(lock, JSON.stringify({ pid: process.ppid, host: 'another-machine' }));
    const notes: (string | undefined)[] = [];
    const waiting = bench.pull('hf:Owner/Repo:Q8_0', { onProgress: ({ note }) => notes.push(note) });
    await expect.poll(() => notes.length).toBeGreaterThan(0);
    writeFileSync(bench.targetPath(), bytes);
    rmSync(lock);
    expect(await waiting).toMatchObject({ wasThere: true });
    rmSync(bench.targetPath());
    writeFileSync(lock, JSON.stringify({ pid: 2 ** 22 + 1, host: hostname() }));
    expect(await bench.pull('hf:Owner/Repo:Q8_0')).toMatchObject({ wasThere: false });
  });

  it('ends when its caller leaves and keeps what came; whoever waited for the file goes on from there', async () => {
    const bytes = seededModel(1);
    bench.putRepository({ 'm-Q8_0.gguf': bytes });
    const path = '/Owner/Repo/resolve/main/m-Q8_0.gguf';
    const whole = bench.server.handlers.get(path);
    bench.server.handlers.set(path, (request, response) => {
      if (request.headers.range !== undefined) return whole?.(request, response);
      response.writeHead(200, { 'content-length': bytes.length, etag: '"v1"' });
      response.write(bytes.subarray(0, 90_000));
    });
    const leaving = new AbortController();
    let received = 0;
    const left = bench.pull('hf:Owner/Repo:Q8_0', {
      signal: leaving.signal,
      onProgress: ({ receivedBytes }) => (received = receivedBytes),
    });
    await expect.poll(() => received).toBe(90_000);
    const notes: (string | undefined)[] = [];
    const waiting = bench.pull('hf:Owner/Repo:Q8_0', { onProgress: ({ note }) => notes.push(note) });
    await expect.poll(() => notes).toEqual([expect.stringMatching(/waiting for it/)]);
    leaving.abort();
    await expect(left).rejects.toThrow(/aborted/);
    expect(await waiting).toMatchObject({ path: bench.targetPath(), wasThere: false });
    expect(bench.downloads()).toEqual([undefined, 'bytes=90000-']);
    expect(readFileSync(bench.targetPath()).equals(bytes)).toBe(true);
  });

  it('looks at the free disk first', async () => {
    bench.putRepository({ 'm-Q8_0.gguf': seededModel(1) });
    await expect(bench.pull('hf:Owner/Repo:Q8_0', { freeDiskBytes: async () => 1000 })).rejects.toThrow(
      /are free in/,
    );
    expect(bench.downloads()).toEqual([]);
  });

  it('brings all parts of a split model', async () => {
    const part = (index: number): Buffer =>
      ggufFile({
        tensors: 10 + index,
        metadata: { 'split.count': { type: 'u32', value: 2 }, 'split.no': { type: 'u32', value: index } },
      });
    const files = { 'Q8_0/m-Q8_0-00001-of-00002.gguf': part(0), 'Q8_0/m-Q8_0-00002-of-00002.gguf': part(1) };
    bench.putRepository(files);
    const pulled = await bench.pull('hf:Owner/Repo:Q8_0');
    expect(pulled.files.map(({ name }) => name)).toEqual([
      'm-Q8_0-00001-of-00002.gguf',
      'm-Q8_0-00002-of-00002.gguf',
    ]);
    const catalog = new LiveCatalog({ folders: [bench.folder], entries: [], log: silent });
    expect(catalog.find('m-Q8_0')?.parameterCount).toBe(21 * 32);
  });

  it('goes on with the part of a split model that was cut, and serves nothing before', async () => {
    const part = (index: number): Buffer =>
      ggufFile({
        tensors: 2000,
        metadata: { 'split.count': { type: 'u32', value: 2 }, 'split.no': { type: 'u32', value: index } },
      });
    const names = ['m-Q8_0-00001-of-00002.gguf', 'm-Q8_0-00002-of-00002.gguf'] as const;
    bench.putRepository({ [names[0]]: part(0), [names[1]]: part(1) });
    const cut = serveBytes(() => part(1), { cutAfterBytes: 100_000, cuts: 1 });
    bench.server.handlers.set(`/Owner/Repo/resolve/main/${names[1]}`, cut);
    await expect(bench.pull('hf:Owner/Repo:Q8_0', { maxFailures: 1 })).rejects.toThrow(DownloadError);
    expect(new LiveCatalog({ folders: [bench.folder], entries: [], log: silent }).list()).toEqual([]);
    await bench.pull('hf:Owner/Repo:Q8_0');
    expect(bench.downloads()).toEqual([undefined, undefined, expect.stringMatching(/^bytes=[1-9]\d*-$/)]);
    for (const [index, name] of names.entries())
      expect(readFileSync(bench.targetPath(name)).equals(part(index))).toBe(true);
  });

  it('takes a newer version over, but never another file’s place', async () => {
    bench.putRepository({ 'm-Q8_0.gguf': seededModel(1) });
    await bench.pull('hf:Owner/Repo:Q8_0');
    bench.putRepository({ 'm-Q8_0.gguf': seededModel(2) });
    await bench.pull('hf:Owner/Repo:Q8_0');
    expect(readFileSync(bench.targetPath()).equals(seededModel(2))).toBe(true);
    bench.putRepository({ 'sub/m-Q8_0.gguf': seededModel(3) });
    await expect(bench.pull('hf:Owner/Repo:Q8_0')).rejects.toThrow(/is another file/);
  });

  it.each(['m.gguf', 'hf:Owner', 'hf:../../etc/x', 'hf:O/R:../x', 'https://', 'ftp://x/y.gguf'])(
    'refuses %s',
    async (source) => {
      await expect(bench.pull(source)).rejects.toThrow();
      expect(readdirSync(bench.folder)).toEqual([]);
    },
  );
});
