import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { loadConfig } from '../../../../src/config/load-config.ts';
import { versionOf } from '../../../../src/engine/upstream/upstream-spec.ts';

let cwd: string;
beforeEach(() => {
  cwd = mkdtempSync(path.join(tmpdir(), 'hearth-config-'));
});
afterEach(() => rmSync(cwd, { recursive: true }));

/** The first model of a file that has `entry` as its only one; JSON is YAML too. */
function modelOf(entry: object, env: Record<string, string> = {}) {
  writeFileSync(path.join(cwd, 'hearth.yaml'), JSON.stringify({ models: [{ id: 'm', ...entry }] }));
  const [model] = loadConfig({ flags: {}, env, cwd }).models;
  if (model?.upstream === undefined) throw new Error('it runs nowhere else');
  return { ...model, upstream: model.upstream };
}

const url = 'http://10.0.0.5:8000/v1';

describe('a model with upstream', () => {
  it('has defaults for all but the address', () => {
    const { upstream, kind, settings } = modelOf({ upstream: { url } });
    expect(upstream).toMatchObject({ urls: [url], model: 'm', timeoutMs: 600_000 });
    expect(kind).toBeUndefined();
    expect(settings?.parallel).toBe(64);
  });

  it('takes several addresses, each once, and all settings', () => {
    const upstream = {
      url: [url, `${url}/`, 'https://b/v1'],
      model: 'x/y',
      label: 'Lab',
      concurrency: 3,
      timeout: '90s',
    };
    const model = modelOf({ upstream, kind: 'embedding', context: 512, reasoning: true, aliases: ['a'] });
    const urls = [url, 'https://b/v1'];
    expect(model.upstream).toMatchObject({ urls, model: 'x/y', label: 'Lab', timeoutMs: 90_000 });
    expect(model).toMatchObject({ kind: 'embedding', reasoning: true, aliases: ['a'] });
    expect(model.settings).toMatchObject({ parallel: 3, contextTokens: 512 });
  });

  it('reads its key when it is needed, from the environment or a file, and shows it nowhere', () => {
    const fromEnv = modelOf({ upstream: { url, apiKey: { env: 'K' } } }, { K: 'sk-secret' });
    expect(fromEnv.upstream.apiKey?.read()).toBe('sk-secret');
    expect(JSON.stringify(fromEnv)).not.toContain('sk-secret');
    expect(modelOf({ upstream: { url, apiKey: { env: 'K' } } }).upstream.apiKey?.read()).toBeUndefined();
    const { upstream } = modelOf({ upstream: { url, apiKey: { file: 'key.txt' } } });
    expect(upstream.apiKey?.read()).toBeUndefined();
    const before = versionOf(upstream);
    writeFileSync(path.join(cwd, 'key.txt'), 'sk-in-file\n');
    expect(upstream.apiKey?.read()).toBe('sk-in-file');
    expect(versionOf(upstream)).not.toBe(before);
    expect(versionOf(upstream)).toBe(versionOf({ ...upstream, label: 'Another name' }));
  });

  it.each<[string, object, RegExp]>([
    ['no address', { upstream: {} }, /upstream\.url: must be the base address/],
    ['another protocol', { upstream: { url: 'file:///etc' } }, /must be the base address/],
    ['a password in the address', { upstream: { url: 'http://a:b@c/v1' } }, /without a user/],
    ['a query', { upstream: { url: 'http://c/v1?key=1' } }, /must be the base address/],
    ['an empty list', { upstream: { url: [] } }, /upstream\.url/],
    [
      'a plain key',
      { upstream: { url, apiKey: 'sk-secret' } },
      /must be \{ env: NAME \} or \{ file: PATH \}/,
    ],
    ['a label that is a text of its own', { upstream: { url, label: 'x'.repeat(61) } }, /label/],
    ['no room', { upstream: { url, concurrency: 0 } }, /concurrency/],
    ['a slip', { upstream: { url, timeuot: '5s' } }, /unknown key "timeuot".*"timeout"/],
    ['a file besides', { upstream: { url }, source: 'a.gguf' }, /source: does not go with upstream/],
    ['a kind without', { kind: 'chat' }, /kind: is for models with upstream/],
    ['an unknown kind', { upstream: { url }, kind: 'video' }, /kind/],
  ])('refuses %s', (_what, entry, message) => {
    expect(() => modelOf(entry)).toThrow(message);
    try {
      modelOf(entry);
    } catch (error) {
      expect(String(error)).not.toContain('sk-secret');
    }
  });
});
