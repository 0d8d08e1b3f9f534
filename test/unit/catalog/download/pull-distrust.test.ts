import { existsSync, readdirSync } from 'node:fs';
import type { LookupFunction } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { DownloadError } from '../../../../src/catalog/download/download-error.ts';
import { serveBytes } from '../../../support/files/file-server.ts';
import { PullBench, seededModel } from '../../../support/files/pull-bench.ts';

let bench: PullBench;

beforeEach(async () => {
  bench = await PullBench.open();
});
afterEach(() => bench.close());

describe('pullModel', () => {
  describe('does not believe a server', () => {
    it('whose length differs from the listing', async () => {
      bench.putRepository({ 'm-Q8_0.gguf': seededModel(1) }, { listing: { size: 1234 } });
      await expect(bench.pull('hf:Owner/Repo:Q8_0')).rejects.toThrow(
        /announces \d+ bytes .* listing says 1234/,
      );
      expect(readdirSync(join(bench.folder, 'Owner/Repo'))).toEqual([]);
    });

    it('that announces more than it sends', async () => {
      bench.server.handlers.set('/m.gguf', (_request, response) => {
        response.writeHead(200, { 'content-length': 1_000_000 });
        response.write(seededModel(1).subarray(0, 1000), () => response.destroy());
      });
      await expect(bench.pull(`${bench.server.origin}/m.gguf`, { maxFailures: 2 })).rejects.toThrow(
        DownloadError,
      );
    });

    it('that announces less than the model has', async () => {
      bench.server.handlers.set('/m.gguf', (_request, response) => {
        response.writeHead(200, { 'content-length': 100_000 }).end(seededModel(1).subarray(0, 100_000));
      });
      await expect(bench.pull(`${bench.server.origin}/m.gguf`)).rejects.toThrow(/cut short/);
      expect(readdirSync(join(bench.folder, 'web/127.0.0.1'))).toEqual([]);
    });

    it('that never stops sending', async () => {
      bench.putRepository({ 'm-Q8_0.gguf': seededModel(1) });
      bench.server.handlers.set('/Owner/Repo/resolve/main/m-Q8_0.gguf', (_request, response) => {
        const chunk = Buffer.alloc(65_536);
        const write = (): void => void (response.destroyed || response.write(chunk, write));
        write();
      });
      await expect(bench.pull('hf:Owner/Repo:Q8_0')).rejects.toThrow(/sends more/);
    });

    it('whose file has another hash', async () => {
      bench.putRepository({ 'm-Q8_0.gguf': seededModel(1) }, { listing: { lfs: { oid: 'a'.repeat(64) } } });
      await expect(bench.pull('hf:Owner/Repo:Q8_0')).rejects.toThrow(/sha256/);
      expect(readdirSync(join(bench.folder, 'Owner/Repo'))).toEqual([]);
      bench.server.handlers.set(
        '/m.gguf',
        serveBytes(() => seededModel(1)),
      );
      await expect(bench.pull(`${bench.server.origin}/m.gguf`, { sha256: 'b'.repeat(64) })).rejects.toThrow(
        /sha256/,
      );
    });

    it('whose listing has another hash than was asked for', async () => {
      bench.putRepository({ 'm-Q8_0.gguf': seededModel(1) });
      await expect(bench.pull('hf:Owner/Repo:Q8_0', { sha256: 'b'.repeat(64) })).rejects.toThrow(/sha256/);
      expect(bench.downloads()).toEqual([]);
    });

    it('whose file has another hash than was asked for, where the listing has none', async () => {
      bench.putRepository({ 'm-Q8_0.gguf': seededModel(1) }, { listing: { lfs: null } });
      await expect(bench.pull('hf:Owner/Repo:Q8_0', { sha256: 'b'.repeat(64) })).rejects.toThrow(/sha256/);
      expect(readdirSync(join(bench.folder, 'Owner/Repo'))).toEqual([]);
    });

    it('that sends a page instead of a model', async () => {
      bench.server.handlers.set(
        '/m.gguf',
        serveBytes(() => Buffer.from('<html>please log in</html>')),
      );
      await expect(bench.pull(`${bench.server.origin}/m.gguf`)).rejects.toThrow(/no model/);
    });

    it.each(['../../evil.gguf', '.gguf', 'a\u0000b.gguf', 'CON:1.gguf', '-rf.gguf'])(
      'that names a file %j',
      async (name) => {
        bench.putRepository({ [name]: seededModel(1) });
        await expect(bench.pull('hf:Owner/Repo')).rejects.toThrow(DownloadError);
        expect(existsSync(join(bench.folder, '..', 'evil.gguf'))).toBe(false);
      },
    );

    it.each(['{}', 'null', '[1, null, {"type": "file"}]', '<html>', ''])('that lists %s', async (listing) => {
      bench.server.handlers.set(
        '/api/models/Owner/Repo/tree/main',
        (_request, response) => void response.end(listing),
      );
      await expect(bench.pull('hf:Owner/Repo')).rejects.toThrow(DownloadError);
    });
  });

  describe('redirects', () => {
    const lookup: LookupFunction = (hostname, options, callback) => {
      const address = hostname === 'inside.example' ? '10.1.2.3' : '127.0.0.1';
      if (options.all === true) callback(null, [{ address, family: 4 }]);
      else callback(null, address, 4);
    };
    const redirectTo = (location: string): void => {
      bench.server.handlers.set(
        '/start.gguf',
        (_request, response) => void response.writeHead(302, { location }).end(),
      );
    };

    it.each([
      ['this machine', 'http://127.0.0.1:PORT/m.gguf'],
      ['this machine by name', 'http://localhost:PORT/m.gguf'],
      ['this machine in IPv6', 'http://[::1]:PORT/m.gguf'],
      ['this machine in disguise', 'http://[::ffff:7f00:1]:PORT/m.gguf'],
      ['this machine as a number', 'http://2130706433:PORT/m.gguf'],
      ['the network', 'http://192.168.0.10/m.gguf'],
      ['a cloud’s metadata', 'http://169.254.169.254/latest'],
      ['a name that leads inside', 'http://inside.example/m.gguf'],
    ])('from outside to %s are refused', async (_where, location) => {
      bench.server.handlers.set(
        '/m.gguf',
        serveBytes(() => seededModel(1)),
      );
      redirectTo(location.replace('PORT', String(bench.server.port)));
      const start = bench.pull(`http://outside.example:${bench.server.port}/start.gguf`, { lookup });
      await expect(start).rejects.toThrow(/inside this machine or its network/);
      expect(bench.server.requests.map(({ url }) => url)).toEqual(['/start.gguf']);
    });

    it('to a name that nobody knows fail', async () => {
      redirectTo('http://nowhere.example/m.gguf');
      // As the system's lookup fails: with an error alone.
      const unknown = Object.assign(new Error('getaddrinfo ENOTFOUND'), { code: 'ENOTFOUND' });
      const failing: LookupFunction = (hostname, options, callback) => {
        if (hostname === 'nowhere.example') queueMicrotask(() => Reflect.apply(callback, null, [unknown]));
        else lookup(hostname, options, callback);
      };
      const start = `http://outside.example:${bench.server.port}/start.gguf`;
      await expect(bench.pull(start, { lookup: failing })).rejects.toThrow(
        /cannot be reached: its address is not found/,
      );
    });

    it('within one host, or from a private mirror that was named, are followed', async () => {
      bench.server.handlers.set(
        '/m.gguf',
        serveBytes(() => seededModel(1)),
      );
      redirectTo('/m.gguf');
      await bench.pull(`http://outside.example:${bench.server.port}/start.gguf`, { lookup });
      redirectTo(`http://localhost:${bench.server.port}/m.gguf`);
      await bench.pull(`${bench.server.origin}/start.gguf`, { lookup });
    });

    it('end some time, and never to another scheme', async () => {
      redirectTo('/start.gguf');
      await expect(bench.pull(`${bench.server.origin}/start.gguf`)).rejects.toThrow(/more than 5 times/);
      redirectTo('file:///etc/passwd');
      await expect(bench.pull(`${bench.server.origin}/start.gguf`)).rejects.toThrow(/redirects from http/);
    });

    it('do not carry the token to another host', async () => {
      const bytes = seededModel(1);
      bench.putRepository({ 'm-Q8_0.gguf': bytes });
      bench.server.handlers.set('/Owner/Repo/resolve/main/m-Q8_0.gguf', (_request, response) => {
        response.writeHead(302, { location: `http://localhost:${bench.server.port}/cdn` }).end();
      });
      bench.server.handlers.set(
        '/cdn',
        serveBytes(() => bytes),
      );
      await bench.pull('hf:Owner/Repo:Q8_0', {
        env: { HF_ENDPOINT: bench.server.origin, HF_TOKEN: 'hf_secret' },
        lookup,
      });
      expect(
        bench.server.requests.map(({ url, headers }) => [url.split('?')[0], headers.authorization]),
      ).toEqual([
        ['/api/models/Owner/Repo/tree/main', 'Bearer hf_secret'],
        ['/Owner/Repo/resolve/main/m-Q8_0.gguf', 'Bearer hf_secret'],
        ['/cdn', undefined],
      ]);
    });
  });
});
