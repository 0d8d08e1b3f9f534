import { mkdirSync, mkdtempSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { LiveCatalog, type CatalogOptions } from '../../../src/catalog/catalog.ts';
import { ggufFile, whisperFile } from '../../support/models/model-files.ts';

let root: string;
let lines: { level: string; path: unknown; message: string }[];
let nowMs: number;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'hearth-catalog-'));
  lines = [];
  nowMs = 0;
});
afterEach(() => rmSync(root, { recursive: true }));

const write =
  (level: string) =>
  (fields: Readonly<Record<string, unknown>>, message: string): void =>
    void lines.push({ level, path: fields['path'], message });
const log = { debug: write('debug'), info: write('info'), warn: write('warn') };

function open(options: Partial<CatalogOptions> = {}): LiveCatalog {
  return new LiveCatalog({
    folders: [join(root, 'a'), join(root, 'b')],
    entries: [],
    log,
    now: () => nowMs,
    ...options,
  });
}

function put(path: string, bytes: Uint8Array = ggufFile()): string {
  const file = join(root, path);
  mkdirSync(join(file, '..'), { recursive: true });
  writeFileSync(file, bytes);
  return file;
}

const ids = (catalog: LiveCatalog): readonly string[] => catalog.list().map(({ id }) => id);
const split = (index: number) =>
  ggufFile({
    tensors: index + 1,
    metadata: { 'split.count': { type: 'u32', value: 2 }, 'split.no': { type: 'u32', value: index } },
  });

describe('openCatalog', () => {
  it('serves what the folders hold under the names of the files, told by content', () => {
    const path = put('a/chat-0.5b.gguf');
    put('a/sub/deeper/embed.gguf', ggufFile({ architecture: 'bert' }));
    put('b/ggml-base.en.bin', whisperFile());
    put('b/without-extension.Q4');
    put('a/not-a-model.gguf', Buffer.from('something else'));
    put('a/README.md', Buffer.from('# models'));
    utimesSync(path, 1000, 1234.5);
    const catalog = open();
    expect(ids(catalog)).toEqual(['chat-0.5b', 'embed', 'ggml-base.en', 'without-extension.Q4']);
    expect(catalog.find('chat-0.5b')).toMatchObject({
      aliases: [],
      ownedBy: 'local',
      path,
      sizeBytes: ggufFile().length,
      createdAtSeconds: 1234,
      kind: 'chat',
      parameterCount: 32,
      capabilities: { audio: false, image: false, functionCalling: false, reasoning: false },
      settings: { parallel: 4, keepAliveMs: 1_800_000, preload: false, contextTokens: undefined },
    });
    expect(catalog.find('ggml-base.en')?.capabilities.audio).toBe(true);
    expect(catalog.find('embed')?.kind).toBe('embedding');
    expect(lines).toEqual([
      { level: 'warn', path: join(root, 'a/not-a-model.gguf'), message: expect.stringContaining('skipped') },
    ]);
  });

  it('ignores files that are still being downloaded', () => {
    for (const name of [
      'x.gguf.part',
      'x.gguf.crdownload',
      'sha256-ab-partial',
      'sha256-ab-partial-3',
      '.x.gguf',
    ]) {
      put(`a/${name}`);
    }
    const half = put('a/half.gguf', ggufFile().subarray(0, -10));
    const catalog = open();
    expect(ids(catalog)).toEqual([]);
    expect(lines.map(({ message }) => message)).toEqual([expect.stringContaining('cut short')]);
    // It is named until it is whole.
    for (let round = 0; round < 2; round++) {
      expect(catalog.unserved()).toEqual([{ name: half, reason: expect.stringContaining('cut short') }]);
      catalog.rescan();
    }
    writeFileSync(half, ggufFile());
    catalog.rescan();
    expect([ids(catalog), catalog.unserved()]).toEqual([['half'], []]);
  });

  it('serves the first of two files with one id, and says so once', () => {
    const first = put('a/m.gguf', ggufFile({ tensors: 2 }));
    const second = put('b/m.gguf');
    const catalog = open();
    catalog.rescan();
    expect(catalog.find('m')?.path).toBe(first);
    expect(lines).toEqual([{ level: 'warn', path: second, message: expect.stringContaining(first) }]);
    expect(catalog.unserved()).toEqual([{ name: second, reason: expect.stringContaining(first) }]);
  });

  it('serves one file that is reached by two ways once', () => {
    symlinkSync(put('a/m.gguf'), join(root, 'a/link.gguf'));
    expect(ids(open())).toEqual(['link']);
    expect(lines).toEqual([]);
  });

  it("names what lies in Hugging Face's cache by its links, the newest revision's first", () => {
    const hash = (digit: string) => digit.repeat(64);
    const snapshots = 'a/hub/models--owner--tiny-GGUF/snapshots';
    const link = (blob: string, name: string, revision = 'f') => {
      const path = join(root, snapshots, hash(revision).slice(24), name);
      mkdirSync(dirname(path), { recursive: true });
      symlinkSync(relative(dirname(path), put(`${snapshots}/../blobs/${hash(blob)}`, blobs[blob])), path);
      return path;
    };
    const blobs: Record<string, Uint8Array> = { 1: split(0), 2: split(1), 3: ggufFile(), 4: ggufFile() };
    const path = link('1', 'big-00001-of-00002.gguf');
    link('2', 'big-00002-of-00002.gguf');
    link('3', 'Q4_K_M/tiny.gguf');
    const old = link('4', 'Q4_K_M/tiny.gguf', 'a');
    utimesSync(join(dirname(old), '..'), 1, 1);
    const catalog = open({ folders: [join(root, 'a')] });
    expect(ids(catalog)).toEqual(['big', 'tiny']);
    expect(catalog.find('big')?.path).toBe(path);
    expect(lines).toEqual([
      { level: 'warn', path: old, message: expect.stringContaining('"tiny" is taken by') },
    ]);
  });

  it('follows links to folders, also in circles, and lists each file once', () => {
    put('elsewhere/shelf/far.gguf');
    put('a/one/two/three/four/deep.gguf');
    symlinkSync(join(root, 'elsewhere'), join(root, 'a/linked'));
    symlinkSync(join(root, 'a'), join(root, 'a/one/back'));
    symlinkSync(join(root, 'a'), join(root, 'elsewhere/around'));
    put('a/owner--model.js/odd.gguf');
    expect(ids(open())).toEqual(['deep', 'far', 'odd']);
    expect(lines).toEqual([]);
  });

  it('says once which links lead nowhere and which folders lie too deep', () => {
    mkdirSync(join(root, 'a'));
    symlinkSync('gone.gguf', join(root, 'a/dangling.gguf'));
    symlinkSync('self', join(root, 'a/self'));
    put('a/1/2/3/4/5/6/7/8/served.gguf');
    put('a/1/2/3/4/5/6/7/8/9/left.gguf');
    put('a/1/2/3/4/5/6/7/8/9b/left.gguf');
    const catalog = open();
    catalog.rescan();
    expect(ids(catalog)).toEqual(['served']);
    expect(lines.map(({ path, message }) => [relative(join(root, 'a'), String(path)), message])).toEqual([
      ['1/2/3/4/5/6/7/8/9', expect.stringContaining('more than 8 folders deep')],
      ['dangling.gguf', expect.stringContaining('ENOENT')],
      ['self', expect.stringContaining('ELOOP')],
    ]);
  });

  it('joins the parts of a split model', () => {
    put('a/big-00002-of-00002.gguf', split(1));
    const path = put('a/big-00001-of-00002.gguf', split(0));
    const model = open().find('big');
    expect(model).toMatchObject({ path, parameterCount: 96, sizeBytes: split(0).length + split(1).length });
    rmSync(join(root, 'a/big-00002-of-00002.gguf'));
    expect(ids(open())).toEqual([]);
    expect(lines.map(({ message }) => message)).toEqual([expect.stringContaining('part 2 of 2 is missing')]);
  });

  it('refuses a part under a name that the engine could not follow', () => {
    put('a/renamed.gguf', split(0));
    expect(ids(open())).toEqual([]);
    expect(lines).toHaveLength(1);
  });

  it('names what Ollama pulled as Ollama does, and leaves out what is no manifest', () => {
    const digest = (digit: string) => `sha256:${digit.repeat(64)}`;
    const pulled = (path: string, digits: readonly string[], kind = 'model') => {
      const layers = digits.map((digit) => ({
        mediaType: `application/vnd.ollama.image.${kind}`,
        digest: digest(digit),
      }));
      put(`a/manifests/${path}`, Buffer.from(JSON.stringify({ schemaVersion: 2, layers })));
    };
    for (const digit of ['1', '2', '3', '4', '5']) put(`a/blobs/${digest(digit).replace(':', '-')}`);
    pulled('registry.ollama.ai/library/qwen3/0.6b', ['1']);
    pulled('registry.ollama.ai/library/llama3/latest', ['2']);
    pulled('registry.ollama.ai/someone/mine/latest', ['3']);
    pulled('hf.co/owner/tiny-GGUF/Q4_K_M', ['4']);
    pulled('registry.ollama.ai/library/settings/only', ['5'], 'params');
    pulled('registry.ollama.ai/library/hostile/latest', ['/../../../etc/passwd']);
    pulled('registry.ollama.ai/library/gone/latest', ['9']);
    for (const [name, text] of [
      ['torn', '{"layers":'],
      ['null', 'null'],
      ['odd', '{"layers":[1]}'],
    ] as const)
      put(`a/manifests/registry.ollama.ai/library/${name}/latest`, Buffer.from(text));
    put('a/other/manifests', Buffer.from('no folder'));
    put('a/other/blobs/mine.gguf');
    const catalog = open({ folders: [join(root, 'a')] });
    expect(ids(catalog)).toEqual([
      'hf.co/owner/tiny-GGUF:Q4_K_M',
      'llama3',
      'mine',
      'qwen3:0.6b',
      'someone/mine',
    ]);
    expect(lines.filter(({ level }) => level !== 'debug')).toEqual([]);
  });

  it('sees new, changed and removed files by the next look, two seconds later at most', () => {
    const catalog = open();
    expect(catalog.find('late')).toBeUndefined();
    const path = put('a/late.gguf');
    expect(catalog.find('late')).toBeUndefined();
    nowMs = 2000;
    expect(catalog.find('late')?.parameterCount).toBe(32);
    writeFileSync(path, ggufFile({ tensors: 2 }));
    nowMs = 4000;
    expect(catalog.list()[0]?.parameterCount).toBe(64);
    rmSync(path);
    nowMs = 6000;
    expect(ids(catalog)).toEqual([]);
  });

  it('does not read unchanged files again', () => {
    const path = put('a/m.gguf');
    utimesSync(path, 1000, 1000);
    const catalog = open();
    writeFileSync(path, Buffer.alloc(ggufFile().length));
    utimesSync(path, 1000, 1000);
    catalog.rescan();
    expect(ids(catalog)).toEqual(['m']);
  });

  it('stays quick with many models', () => {
    for (let index = 0; index < 200; index++) put(`a/m${index}.gguf`);
    const catalog = open();
    const before = process.threadCpuUsage();
    for (let index = 0; index < 5; index++) catalog.rescan();
    const { user, system } = process.threadCpuUsage(before);
    expect((user + system) / 1000 / 5).toBeLessThan(100);
  });
});

describe('configured models', () => {
  it('take a file under an id of their own, with aliases, owner, settings and free fields', () => {
    const path = put(
      'a/file.gguf',
      ggufFile({ metadata: { 'general.author': { type: 'string', value: 'Ann' } } }),
    );
    const settings = { contextTokens: 99, parallel: 2 };
    const entries = [
      {
        id: 'org/mine',
        source: path,
        aliases: ['gpt-4o-mini'],
        settings,
        info: { compressed: true },
        reasoning: true,
      },
    ];
    const catalog = open({ entries });
    expect(ids(catalog)).toEqual(['org/mine']);
    const model = catalog.find('gpt-4o-mini');
    expect(model).toBe(catalog.find('org/mine'));
    expect(model).toMatchObject({
      ownedBy: 'Ann',
      settings,
      info: { compressed: true },
      capabilities: { reasoning: true },
    });
    expect(model?.settings.keepAliveMs).toBe(1_800_000);
    expect(catalog.nearest('gpt-4o-mimi')).toEqual(['gpt-4o-mini']);
  });

  it('are of another version when a file that they name has changed', () => {
    const [source, path] = [put('c/m.gguf'), put('c/adapter')];
    const catalog = open({ entries: [{ id: 'm', source, settings: { lora: [{ path, scale: 1 }] } }] });
    const before = catalog.find('m')?.version;
    catalog.rescan();
    expect(catalog.find('m')?.version).toBe(before);
    writeFileSync(path, 'another adapter');
    catalog.rescan();
    expect(catalog.find('m')?.version).not.toBe(before);
  });

  it('without a source add to the scanned file of that id', () => {
    put('a/m.gguf');
    expect(open({ entries: [{ id: 'm', ownedBy: 'Me', aliases: ['n'] }] }).find('n')).toMatchObject({
      id: 'm',
      ownedBy: 'Me',
    });
  });

  it('without a file wait for one, and keep their names', () => {
    put('a/m.gguf');
    const later = join(root, 'later.gguf');
    const catalog = open({
      entries: [
        { id: 'm', source: later },
        { id: 'p', source: 'hf:Owner/Repo:Q8_0' },
      ],
    });
    expect(ids(catalog)).toEqual([]);
    expect(catalog.pending()).toMatchObject([
      { id: 'm', pullable: false },
      { id: 'p', source: 'hf:Owner/Repo:Q8_0', pullable: true },
    ]);
    put('later.gguf');
    catalog.rescan();
    expect(ids(catalog)).toEqual(['m']);
  });

  it.each([
    ['two ids', [{ id: 'x' }, { id: 'x' }]],
    ['an id and an alias', [{ id: 'x' }, { id: 'y', aliases: ['x'] }]],
    [
      'two aliases',
      [
        { id: 'x', aliases: ['z'] },
        { id: 'y', aliases: ['z'] },
      ],
    ],
    ['an alias and a file', [{ id: 'x', source: 'nowhere.gguf', aliases: ['m'] }]],
  ])('clash: %s', (_what, entries) => {
    put('a/m.gguf');
    expect(() => open({ entries })).toThrow(/^models: .*"[xzm]"/);
  });

  it('are replaced as a whole, or not at all', () => {
    put('a/m.gguf');
    const catalog = open({ entries: [{ id: 'm', aliases: ['old'] }] });
    expect(() => catalog.configure([{ id: 'm', aliases: ['m'] }])).toThrow(/used twice/);
    expect(catalog.find('old')?.id).toBe('m');
    catalog.configure([{ id: 'm', aliases: ['new'] }]);
    expect(catalog.find('old')).toBeUndefined();
    expect(catalog.find('new')?.id).toBe('m');
  });

  it('win over a file that comes later under one of their aliases', () => {
    put('a/m.gguf');
    const catalog = open({ entries: [{ id: 'm', aliases: ['n'] }] });
    put('a/n.gguf');
    catalog.rescan();
    expect(ids(catalog)).toEqual(['m']);
    expect(lines.map(({ message }) => message)).toEqual([expect.stringContaining('alias')]);
  });
});
