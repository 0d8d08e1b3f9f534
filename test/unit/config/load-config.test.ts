import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ConfigFlags } from '../../../src/config/flags-and-variables.ts';
import { loadConfig } from '../../../src/config/load-config.ts';
import { defaultDataDir, packageModelsDir } from '../../../src/config/paths.ts';
import { limitsFor } from '../../../src/accounts/plans.ts';

let cwd: string;

beforeEach(() => {
  cwd = mkdtempSync(path.join(tmpdir(), 'hearth-config-'));
});
afterEach(() => rmSync(cwd, { recursive: true }));

function load(yaml?: string, flags: ConfigFlags = {}, env: Record<string, string> = {}) {
  if (yaml !== undefined) writeFileSync(path.join(cwd, 'hearth.yaml'), yaml);
  return loadConfig({ flags, env, cwd, machine: { platform: 'linux', homeDir: '/home/me' } });
}

describe('without any setting', () => {
  it('has the documented defaults', () => {
    expect(load()).toMatchObject({
      configFile: undefined,
      host: '127.0.0.1',
      port: 8080,
      logLevel: 'info',
      dataDir: '/home/me/.local/share/hearth',
      databaseFile: '/home/me/.local/share/hearth/hearth.db',
      pulledModelsDir: '/home/me/.local/share/hearth/models',
      modelsDirs: ['/home/me/.local/share/hearth/models', packageModelsDir],
      shutdownGraceMs: 30_000,
      loadTimeoutMs: 60_000,
      jsonBodyLimitBytes: 4 * 1024 * 1024,
      imageBodyLimitBytes: 32 * 1024 * 1024,
      imageUrls: false,
      audioBodyLimitBytes: 25 * 1024 * 1024,
      audioLengthLimitMs: 3_600_000,
      ffmpeg: 'ffmpeg',
      uploadsDir: '/home/me/.local/share/hearth/uploads',
      queueLimit: 256,
      targetGapMs: 200,
      memoryBytes: undefined,
      ledgerRetentionMs: 400 * 86_400_000,
      auditRetentionMs: 400 * 86_400_000,
      bootstrapApiKey: undefined,
      models: [],
    });
  });

  it('has the documented plans', () => {
    const { plans } = load();
    expect([...plans.keys()]).toEqual(['trial', 'reduced', 'standard', 'unlimited']);
    expect(plans.get('trial')).toEqual({
      durationMs: 30 * 86_400_000,
      limits: {
        requests: { minute: 60 },
        inputTokens: { minute: 100_000, '30d': 30_000_000 },
        outputTokens: { minute: 100_000, '30d': 30_000_000 },
        audioSeconds: { hour: 3600 },
      },
      modelLimits: new Map(),
    });
    expect(plans.get('unlimited')?.limits).toEqual({});
  });
});

describe('precedence', () => {
  it('is flags over environment over file over defaults', () => {
    const yaml = 'host: file.example\nport: 1\nlogLevel: debug\ndataDir: from-file\n';
    const env = { HEARTH_HOST: 'env.example', HEARTH_PORT: '2' };
    const config = load(yaml, { host: 'flag.example' }, env);
    expect(config).toMatchObject({
      host: 'flag.example',
      port: 2,
      logLevel: 'debug',
      dataDir: path.join(cwd, 'from-file'),
      jsonBodyLimitBytes: 4_194_304,
    });
  });

  it('takes an empty variable for one that is not set', () => {
    expect(load(undefined, {}, { HEARTH_PORT: '', HEARTH_API_KEY: '' })).toMatchObject({
      port: 8080,
      bootstrapApiKey: undefined,
    });
  });

  it('resolves folders of the file from the file, of flags from the current folder, and ~ from home', () => {
    const nested = path.join(cwd, 'other.yaml');
    writeFileSync(nested, 'modelsDir: [~/mine, here]\ndemo: false\n');
    const config = loadConfig({
      flags: { config: 'other.yaml', dataDir: 'data' },
      env: {},
      cwd,
      machine: { platform: 'linux', homeDir: '/home/me' },
    });
    expect(config.modelsDirs).toEqual([
      '/home/me/mine',
      path.join(cwd, 'here'),
      path.join(cwd, 'data/models'),
    ]);
  });

  it('splits the folders of HEARTH_MODELS_DIR', () => {
    const config = load('modelsDir: x', {}, { HEARTH_MODELS_DIR: ['/a', '/b'].join(path.delimiter) });
    expect(config.modelsDirs.slice(0, 2)).toEqual(['/a', '/b']);
  });

  it('finds ffmpeg by its name or its path, and takes none where hearth is to decode by itself', () => {
    expect(load('ffmpeg: ffmpeg-8').ffmpeg).toBe('ffmpeg-8');
    expect(load('ffmpeg: bin/ffmpeg').ffmpeg).toBe(path.join(cwd, 'bin/ffmpeg'));
    expect(load('ffmpeg: ~/ffmpeg').ffmpeg).toBe('/home/me/ffmpeg');
    expect(load('ffmpeg: built-in').ffmpeg).toBeUndefined();
    expect(load('ffmpeg: built-in', {}, { HEARTH_FFMPEG: '/opt/ffmpeg' }).ffmpeg).toBe('/opt/ffmpeg');
    expect(load('audioLengthLimit: 90m').audioLengthLimitMs).toBe(90 * 60_000);
  });

  it('never shows the key that it was given', () => {
    const { bootstrapApiKey } = load(undefined, {}, { HEARTH_API_KEY: 'very-secret' });
    expect(bootstrapApiKey?.reveal()).toBe('very-secret');
    expect(`${String(bootstrapApiKey)}${JSON.stringify({ bootstrapApiKey })}`).not.toContain('very-secret');
  });
});

describe('models', () => {
  it('are resolved over the defaults, with fields of the operator kept', () => {
    const { models } = load(`
models:
  - id: Qwen/qwen3-0.6b
    source: hf:Qwen/Qwen3-0.6B-GGUF:Q8_0
    ownedBy: Qwen
    aliases: [gpt-4o-mini]
    context: 8192
    threads: auto
    gpuLayers: 0
    reasoning: auto
    keepAlive: -1
    temperature: 0.2
    top_p: 0.9
    stop: END
    system: Answer in Dutch.
    info: { compressed: true }
  - id: local
    source: files/a.gguf
    reasoning: false
    parallel: 2
    cacheType: q8_0
    cacheFile: true
    flashAttention: auto
    lora: [adapters/a.gguf, { path: /b.gguf, scale: -0.5 }]
`);
    expect(models[0]).toEqual({
      id: 'Qwen/qwen3-0.6b',
      source: 'hf:Qwen/Qwen3-0.6B-GGUF:Q8_0',
      sha256: undefined,
      ownedBy: 'Qwen',
      aliases: ['gpt-4o-mini'],
      reasoning: undefined,
      settings: {
        contextTokens: 8192,
        threads: undefined,
        gpuLayers: 0,
        keepAliveMs: undefined,
      },
      defaults: { sampling: { temperature: 0.2, topP: 0.9 }, stop: ['END'], system: 'Answer in Dutch.' },
      info: { compressed: true },
    });
    expect(models[1]).toMatchObject({
      source: path.join(cwd, 'files/a.gguf'),
      reasoning: false,
      settings: {
        parallel: 2,
        cacheType: 'q8_0',
        cacheFile: true,
        lora: [
          { path: path.join(cwd, 'adapters/a.gguf'), scale: 1 },
          { path: '/b.gguf', scale: -0.5 },
        ],
      },
    });
    expect(models[1]?.settings).not.toHaveProperty('flashAttention');
    // A missing setting is left to the catalog, which has the defaults.
    expect(models[1]?.settings).not.toHaveProperty('keepAliveMs');
  });
});

describe('plans of the file', () => {
  const yaml = `
plans:
  trial: { days: 7, limits: { requests: { minute: 1 } } }
  big: { limits: { inputTokens: { 30d: 5 } }, models: { 'm/1': { limits: { requests: { day: 2 } } } } }
`;

  it('replace a default one as a whole and stand beside the others', () => {
    const { plans } = load(yaml);
    expect(plans.get('trial')).toMatchObject({
      durationMs: 7 * 86_400_000,
      limits: { requests: { minute: 1 } },
    });
    expect(plans.get('trial')?.limits.inputTokens).toBeUndefined();
    expect(plans.has('standard')).toBe(true);
  });

  it('replace the limits of one model', () => {
    const big = load(yaml).plans.get('big');
    expect(big && limitsFor(big, 'm/1')).toEqual({ requests: { day: 2 } });
    expect(big && limitsFor(big, 'm/2')).toEqual({ inputTokens: { '30d': 5 } });
  });
});

it('has prices with decimals, and budgets of units', () => {
  const { prices, plans } = load(
    "prices: { '*': { requests: 0.01 }, 'm/1': { inputTokens: 0.15, audioSeconds: 0.0001 } }\n" +
      'plans: { p: { limits: {}, account: { units: { month: 4.5 } } } }',
  );
  expect(prices).toEqual({ '*': { requests: 0.01 }, 'm/1': { inputTokens: 0.15, audioSeconds: 0.0001 } });
  expect(plans.get('p')?.accountBudgets).toEqual({ units: { month: 4.5 } });
  expect(load('').prices).toEqual({});
});

describe('mistakes', () => {
  it.each([
    ['prot: 80', /hearth\.yaml:1: unknown key "prot".*"port"/],
    ['host: a\n\nmodles: []', /hearth\.yaml:3: unknown key "modles".*"models"/],
    [
      'plans:\n  p:\n    limits:\n      request: {minute: 1}',
      /:4: unknown key "request" under plans\.p\.limits.*"requests"/,
    ],
    ['plans:\n  p:\n    limits:\n      requests: {week: 1}', /:4: unknown key "week"/],
    [
      'models:\n  - id: a\n    paralel: 2',
      /:3: unknown key "paralel" under models\[0\]; the nearest known key is "parallel"/,
    ],
    [
      'models:\n  - id: a\n    created: 2',
      /:3: unknown key "created" under models\[0\]; it is filled in by hearth/,
    ],
    ['models:\n  - source: x', /:2: models\[0\]\.id: is missing: it must be a text/],
    ['models:\n  - id: a\n  - id: b\n    aliases: [a]', /:3: models\[1\]: "a" is already taken/],
    ['models:\n  - id: a\n    source: http://x/y.gguf', /:3: models\[0\]\.source: only https/],
    ['models:\n  - id: a\n    source: https://x/y.gguf', /:3: models\[0\]\.source: a URL needs its sha256/],
    ['models:\n  - id: a\n    keepAlive: 30', /:3: models\[0\]\.keepAlive: "30" is not a duration/],
    ['shutdownGrace: -1', /:1: shutdownGrace: must end some time/],
    ['shutdownGrace: 30d', /:1: shutdownGrace: must be 24 days or less/],
    ['models:\n  - id: a\n    gpuLayers: 99999999999', /:3: models\[0\]\.gpuLayers: must be at most 10000/],
    ['models:\n  - id: a\n    cacheType: q2', /:3: models\[0\]\.cacheType: must be f16, q8_0, /],
    ['models:\n  - id: a\n    lora: a.gguf', /:3: models\[0\]\.lora: /],
    [
      'models:\n  - id: a\n    lora: [{ path: a.gguf, scael: 1 }]',
      /:3: unknown key "scael" under models\[0\]\.lora\[0\]/,
    ],
    [
      'models:\n  - id: a\n    cacheType: q4_0\n    flashAttention: false',
      /:4: models\[0\]\.flashAttention: must not be false with the cacheType q4_0/,
    ],
    [
      'models:\n  - id: a\n    upstream: {url: http://x/v1}\n    cacheType: q4_0',
      /cacheType: does not go with upstream/,
    ],
    ['jsonBodyLimit: lots', /:1: jsonBodyLimit: "lots" is not a size/],
    [
      'plans: {p: {limits: {requests: {minute: 0}}}}',
      /:1: plans\.p\.limits\.requests\.minute: must be 1 or more/,
    ],
    ['plans: {standard: {days: 3, limits: {}}}', /:1: plans\.standard\.days: only the plan trial/],
    ['prices: {m: {inputTokens: 0.0000001}}', /:1: prices\.m\.inputTokens: must have at most 6 decimals/],
    ['prices: {m: {outputTokens: -1}}', /:1: prices\.m\.outputTokens: must be at least 0/],
    ['prices: {m: {prompt_tokens: 1}}', /:1: unknown key "prompt_tokens".*here that is "inputTokens"/],
    ['prices: 3', /:1: prices: must be a map/],
    ['plans: {p: {limits: {}, account: {units: {day: 0}}}}', /account\.units\.day: must be more than 0/],
    ['plans: {p: {limits: {}, account: {units: {minute: 1}}}}', /unknown key "minute"/],
    ['port: 70000', /:1: port: /],
    ['a: 1\na: 2', /:2: not valid YAML/],
    ['- a\n- b', /:1: the file: must be a map/],
  ])('%j is refused', (yaml, message) => {
    expect(() => load(yaml)).toThrow(message);
  });

  it.each([
    [{ port: 'http' }, {}, /^--port: "http" is not a port/],
    [{}, { HEARTH_PORT: '65536' }, /^HEARTH_PORT: /],
    [{ logLevel: 'loud' }, {}, /^--log-level: "loud" is not a log level/],
    [{ host: 'a b' }, {}, /^--host: /],
    [{ config: 'missing.yaml' }, {}, /cannot read the configuration file .*missing\.yaml \(ENOENT\)/],
  ])('%j with %j is refused', (flags, env, message) => {
    expect(() => load(undefined, flags, env)).toThrow(message);
  });

  it('of the file are one line with a hint', () => {
    const error = (() => {
      try {
        return load('a: [\nb: {');
      } catch (thrown) {
        return thrown;
      }
    })();
    expect(error).toMatchObject({ name: 'ConfigError', hint: expect.any(String) });
    expect((error as Error).message).not.toContain('\n');
  });
});

describe('defaultDataDir', () => {
  const linux = { platform: 'linux', homeDir: '/home/me' } as const;
  it('follows XDG, which ignores relative values', () => {
    expect(defaultDataDir({ XDG_DATA_HOME: '/x' }, linux)).toBe('/x/hearth');
    expect(defaultDataDir({ XDG_DATA_HOME: 'x' }, linux)).toBe('/home/me/.local/share/hearth');
  });

  it('is the local application data on Windows', () => {
    const windows = { platform: 'win32', homeDir: String.raw`C:\Users\me` } as const;
    expect(defaultDataDir({ LOCALAPPDATA: String.raw`D:\Local` }, windows)).toBe(String.raw`D:\Local\hearth`);
    expect(defaultDataDir({}, windows)).toBe(String.raw`C:\Users\me\AppData\Local\hearth`);
  });
});
