import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { CacheFolder } from '../../../../../src/engine/llama/cache-files/cache-folder.ts';
import { CacheKeeper } from '../../../../../src/engine/llama/cache-files/cache-keeper.ts';
import { sealFile } from '../../../../../src/engine/llama/cache-files/sealed-file.ts';
import { CacheMemory } from '../../../../../src/engine/llama/caches/cache-memory.ts';
import { IdleCaches } from '../../../../../src/engine/llama/caches/idle-caches.ts';
import { SlotMemory } from '../../../../../src/engine/llama/slots/slot-memory.ts';
import { mediumIds } from '../../../../../src/engine/llama/media/medium-ids.ts';
import { Slot } from '../../../../../src/engine/llama/slots/slot.ts';
import { createLog } from '../../../../../src/telemetry/log.ts';
import { computeInto, conversationTokens } from '../../../../support/engine/conversation-caches.ts';
import { hasStepper } from '../../../../support/engine/draw-tokens.ts';
import { openNativeFixture, type NativeFixture } from '../../../../support/models/native-model.ts';

const contextTokens = 512;
const secret = Buffer.from('secret');
const layout = 'layout';
const never = new AbortController().signal;

let fixture: NativeFixture;
let slotMemory: SlotMemory;
let root: string;
let folder: string;
beforeAll(async () => {
  fixture = await openNativeFixture();
  slotMemory = new SlotMemory(fixture.own);
  root = await mkdtemp(join(tmpdir(), 'hearth-keeper-'));
});
afterAll(async () => {
  await fixture[Symbol.asyncDispose]();
  await rm(root, { recursive: true, force: true });
});
beforeEach(async () => {
  folder = join(await mkdtemp(join(root, 'test-')), 'room');
});

/** The slots and caches of a process that loads the model with the folder of this test. */
function loadModel({
  memoryBytes = 2 ** 26,
  slotTokens = contextTokens,
  fits = layout,
}: { memoryBytes?: number; slotTokens?: number; fits?: string } = {}) {
  const slots = [0, 1, 2].map((index) => new Slot(index, slotTokens));
  for (const slot of slots) slotMemory.clear(slot);
  const memory = new CacheMemory(memoryBytes);
  const idleCaches = new IdleCaches(slotMemory, memory);
  const lines: string[] = [];
  let isAwaited = false;
  const keeper = new CacheKeeper({
    modelId: 'model',
    folder: new CacheFolder({ folder, secret }, fits),
    slotMemory,
    loop: { whileIdle: (work) => work(slots, () => isAwaited) },
    idleCaches,
    memory,
    log: createLog({
      level: 'info',
      pretty: false,
      destination: { write: (line: string) => void lines.push(line) },
    }),
  });
  const [slot = new Slot(0, slotTokens)] = slots;
  return { slots, slot, idleCaches, keeper, lines, interrupt: () => (isAwaited = true) };
}

const conversation = (seed: number, length = 100) => conversationTokens(seed, length);

async function compute(slot: Slot, accountId: string, tokens: Uint32Array): Promise<number> {
  const token = await computeInto(fixture, slot, accountId, tokens);
  slot.lastUse++;
  return token;
}

/** Leaves a file for each conversation, the first one the oldest. */
async function leaveFiles(...conversations: readonly (readonly [account: string, tokens: Uint32Array])[]) {
  const { slot, idleCaches, keeper } = loadModel();
  await keeper.open(never);
  for (const [account, tokens] of conversations) {
    if (slot.length > 0) await idleCaches.keep(slot);
    slotMemory.clear(slot);
    await compute(slot, account, tokens);
  }
  await keeper.close();
}

const cacheNames = () => readdir(folder);

describe.runIf(hasStepper)('caches in files', () => {
  it('come back with their accounts and the same next token, from slots and from memory', async () => {
    const all = [1, 2, 3, 4, 5].map((seed) => conversation(seed));
    await leaveFiles(...all.map((tokens, at) => [`account ${at}`, tokens] as const));
    expect(await cacheNames()).toHaveLength(5);
    const { slots, idleCaches, keeper, lines } = loadModel();
    await keeper.open(never);
    expect(lines.join()).toContain('"conversations":5');
    expect(slots.every(({ lastUse }) => lastUse > 0 && lastUse < 1)).toBe(true);
    expect(new Set(slots.map(({ accountId }) => accountId))).toEqual(
      new Set(['account 2', 'account 3', 'account 4']),
    );
    expect(idleCaches.list().map(({ accountId }) => accountId)).toEqual(['account 1', 'account 0']);
    for (const slot of slots) {
      const longer = Uint32Array.from([...slot.tokens, 11, 12, 13]);
      expect(slot.length).toBe(100);
      const resumed = await compute(slot, 'any', longer);
      slotMemory.clear(slot);
      expect(await compute(slot, 'any', longer)).toBe(resumed);
    }
    await keeper.close();
  });

  it('can be read by their owner only', async () => {
    await leaveFiles(['account', conversation(1)]);
    expect((await stat(folder)).mode & 0o777).toBe(0o700);
    for (const name of await cacheNames()) expect((await stat(join(folder, name))).mode & 0o777).toBe(0o600);
  });

  it('are left out where they are short, or have pictures in them', async () => {
    const { slots, keeper } = loadModel();
    const [short, seeing] = slots;
    await keeper.open(never);
    await compute(short as Slot, 'account', conversation(1, 20));
    const picture = mediumIds(7, 80, 80);
    (seeing as Slot).append(picture);
    (seeing as Slot).accountId = 'account';
    await keeper.close();
    expect(await cacheNames()).toEqual([]);
  });

  it('are the newest ones where not all fit into the memory for caches', async () => {
    await leaveFiles(['old', conversation(1)], ['new', conversation(2)]);
    const [name = ''] = await cacheNames();
    const { size } = await stat(join(folder, name));
    const { slots, keeper } = loadModel({ memoryBytes: Math.round(1.5 * size) });
    await keeper.open(never);
    expect(slots.map(({ accountId }) => accountId)).toContain('new');
    expect(await cacheNames()).toHaveLength(1);
    await compute(slots[1] as Slot, 'newest', conversation(3));
    await keeper.close();
    expect(await cacheNames()).toHaveLength(1);
    const later = loadModel();
    await later.keeper.open(never);
    expect(later.slot.accountId).toBe('newest');
    await later.keeper.close();
  });
});

describe.runIf(hasStepper)('a conversation that does not fit into the memory for caches', () => {
  it('is not written', async () => {
    const { slot, keeper, lines } = loadModel({ memoryBytes: 0 });
    const write = vi.spyOn(slotMemory, 'save');
    await keeper.open(never);
    await compute(slot, 'account', conversation(1));
    await keeper.close();
    expect(write).not.toHaveBeenCalled();
    expect(lines).toEqual([]);
    write.mockRestore();
  });
});

describe.runIf(hasStepper)('a file that must not be read', () => {
  /** Opens the folder after `damage` and expects that only the second conversation comes back. */
  async function expectOnlySecond(damage: (file: string) => Promise<void>, options = {}) {
    const [name = ''] = await cacheNames();
    await leaveFiles(['first', conversation(1)]);
    const damaged = (await cacheNames()).find((other) => other !== name) ?? '';
    await damage(join(folder, damaged));
    const { slots, keeper, lines } = loadModel(options);
    await keeper.open(never);
    expect(slots.map(({ accountId }) => accountId).filter((id) => id !== undefined)).toEqual(['second']);
    expect(lines.filter((line) => line.includes('deleted kept caches'))).toHaveLength(1);
    expect(await cacheNames()).toEqual([name]);
    await keeper.close();
  }
  beforeEach(() => leaveFiles(['second', conversation(2)]));

  it('has other bytes', async () => {
    await expectOnlySecond(async (file) => {
      const bytes = await readFile(file);
      bytes.writeUInt8(bytes.readUInt8(500) ^ 1, 500);
      await writeFile(file, bytes);
    });
  });

  it('is shorter', async () => {
    await expectOnlySecond(async (file) => await writeFile(file, (await readFile(file)).subarray(0, 1000)));
  });

  it('has a file name of another account', async () => {
    await expectOnlySecond(async (file) => {
      const bytes = await readFile(file);
      await rm(file);
      await writeFile(file.replace(/[0-9a-f]{16}-/, `${'0'.repeat(16)}-`), bytes);
    });
  });

  it('says that it has more tokens than a slot, even under the right seal', async () => {
    await expectOnlySecond(async (file) => {
      await writeFile(file, Buffer.alloc(4096, 1));
      const description = { accountId: 'first', layout, stateBytes: 64, checkpoints: [] };
      await sealFile(file, { ...description, tokens: 0xffff_ffff }, secret);
    });
  });

  it('was left half written', async () => {
    const [name = ''] = await cacheNames();
    await writeFile(join(folder, `${name}.part`), 'the beginning');
    await writeFile(join(folder, 'notes'), 'no cache');
    await mkdir(join(folder, 'folder'));
    const { keeper } = loadModel();
    await keeper.open(never);
    expect(await cacheNames()).toEqual([name]);
    await keeper.close();
  });

  it('fits another layout', async () => {
    const { slots, keeper, lines } = loadModel({ fits: 'another layout' });
    await keeper.open(never);
    expect(slots.every(({ length }) => length === 0)).toBe(true);
    expect(lines.join()).toContain('"deleted":1');
    expect(await cacheNames()).toEqual([]);
    await keeper.close();
  });
});

describe.runIf(hasStepper)('every five minutes', () => {
  it('what is new is written, once, and takes the place of what it continues', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    try {
      const { slot, keeper } = loadModel();
      await keeper.open(never);
      await compute(slot, 'account', conversation(1));
      vi.advanceTimersByTime(5 * 60_000);
      await keeper.save();
      const first = await cacheNames();
      expect(first).toHaveLength(1);
      const { ino } = await stat(join(folder, first[0] ?? ''));
      await keeper.save();
      expect((await stat(join(folder, first[0] ?? ''))).ino).toBe(ino);
      await compute(slot, 'account', Uint32Array.from([...conversation(1), ...conversation(2)]));
      await keeper.save();
      expect(await cacheNames()).toHaveLength(1);
      expect(await cacheNames()).not.toEqual(first);
      await keeper.close();
    } finally {
      vi.useRealTimers();
    }
  });

  it('nothing is written while requests wait', async () => {
    const { slot, keeper, interrupt } = loadModel();
    await keeper.open(never);
    await compute(slot, 'account', conversation(1));
    interrupt();
    await keeper.save();
    expect(await cacheNames()).toEqual([]);
    await keeper.close();
    expect(await cacheNames()).toHaveLength(1);
  });
});

describe.runIf(hasStepper)('a folder that cannot be written', () => {
  it('is told of once, and stops neither load nor unload', async () => {
    await writeFile(folder, 'a file in its place');
    const { slot, keeper, lines } = loadModel();
    await keeper.open(never);
    await compute(slot, 'account', conversation(1));
    await keeper.save();
    await keeper.close();
    const warnings = lines.filter((line) => line.includes('cannot be kept in files'));
    expect(warnings).toHaveLength(1);
    await rm(folder);
  });

  it('leaves no half of a file behind', async () => {
    const { slot, keeper } = loadModel();
    await keeper.open(never);
    await compute(slot, 'account', conversation(1));
    const saved = await slotMemory.save(slot);
    if (saved === undefined) throw new Error('a conversation can be saved');
    const lost = {
      length: 1,
      get state(): Uint8Array {
        throw new Error('no space left');
      },
    };
    const save = vi.spyOn(slotMemory, 'save').mockResolvedValueOnce({ ...saved, checkpoints: [lost] });
    await keeper.save();
    expect(save).toHaveBeenCalledOnce();
    save.mockRestore();
    expect(await cacheNames()).toEqual([]);
    await keeper.close();
    expect(await cacheNames()).toHaveLength(1);
  });
});
