import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { copyFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { join } from 'node:path';
import { afterAll, describe, expect, it, vi } from 'vitest';
import {
  checkModelFile,
  type CheckOptions,
  type Verdict,
} from '../../../../src/engine/model-check/load-check.ts';
import { fileFingerprint, type VerdictKey } from '../../../../src/engine/model-check/file-fingerprint.ts';
import {
  createModelFileCheck,
  type VerdictStore,
} from '../../../../src/engine/model-check/remembered-load-check.ts';
import { sharedModel, sharedModelsDir } from '../../../support/models/shared-models.ts';
import { tinyModel } from '../../../support/models/tiny-model.ts';
import { stopChildren } from '../../../support/watch/child-processes.ts';

const directory = mkdtempSync(join(tmpdir(), 'hearth-load-check-'));
afterAll(() => rmSync(directory, { recursive: true }));

class MemoryStore implements VerdictStore {
  readonly verdicts = new Map<string, Verdict>();

  get(key: VerdictKey): unknown {
    return this.verdicts.get(JSON.stringify(key));
  }

  put(key: VerdictKey, verdict: Verdict): void {
    this.verdicts.set(JSON.stringify(key), verdict);
  }
}

/** Findings about a template that shows no tools. */
const findings = { toolFormat: 'json', functionCalling: false, infill: false, reasoning: false } as const;

describe('checkModelFile', () => {
  it('lets a sound model pass', async () => {
    expect(await checkModelFile(await tinyModel())).toEqual({ loadable: true, findings });
  });

  it('survives a file that aborts the process that loads it', async () => {
    expect(await checkModelFile(await tinyModel({ defect: 'no-byte-tokens' }))).toEqual({
      loadable: false,
      reason: expect.stringContaining('SIGABRT'),
      transient: false,
    });
  });

  it.each(['truncated', 'not-gguf'] as const)('says what is wrong with a file that is %s', async (defect) => {
    expect(await checkModelFile(await tinyModel({ defect }))).toMatchObject({
      loadable: false,
      transient: false,
    });
  });

  it('refuses weights that are no numbers', async () => {
    expect(await checkModelFile(await tinyModel({ defect: 'no-numbers' }))).toEqual({
      loadable: false,
      reason: expect.stringContaining('computes no numbers'),
      transient: false,
    });
  });

  it.each([
    [
      'a control token of 5,000 characters',
      { controlTexts: ['a'.repeat(5_000)] },
      /token of 5000 characters/,
    ],
    ['one of 1,500', { controlTexts: ['<|>'.repeat(500)] }, /special token of 1500 characters/],
    ['one of 200,000', { controlTexts: ['<'.repeat(200_000)] }, /token of 200000 characters/],
    [
      'thousands that are long',
      { controlTexts: Array.from({ length: 3_000 }, (_, index) => `${index}${'<|>'.repeat(300)}`) },
      /together more than/,
    ],
  ])('refuses a vocabulary with %s, and soon', async (_what, options, reason) => {
    const path = await tinyModel(options);
    const startedAtMs = performance.now();
    const verdict = await checkModelFile(path);
    expect(verdict).toEqual({ loadable: false, reason: expect.stringMatching(reason), transient: false });
    expect(performance.now() - startedAtMs).toBeLessThan(15_000);
  });

  it('lets a vocabulary of tens of thousands of control tokens pass', async () => {
    const controlTexts = Array.from({ length: 30_000 }, (_, index) => `<|reserved_token_${index}|>`);
    expect(await checkModelFile(await tinyModel({ controlTexts, hiddenSize: 8 }))).toEqual({
      loadable: true,
      findings,
    });
  });

  it('gives up after the processor time allowed', async () => {
    expect(await checkModelFile(await tinyModel(), { cpuMs: 1 })).toMatchObject({
      loadable: false,
      reason: expect.stringContaining('of processor time'),
      transient: true,
      timedOut: true,
    });
  });

  it.runIf(process.platform === 'linux')(
    'does not count the time that a busy machine takes from it',
    async () => {
      const cpuMs = 1500;
      const checked = checkModelFile(await tinyModel(), { cpuMs });
      const resume = await stopChildren(process.pid, 'load-check-child');
      await sleep(cpuMs + 500);
      resume();
      expect(await checked).toEqual({ loadable: true, findings });
    },
  );

  it('ends when its caller does', async () => {
    const path = await tinyModel();
    await expect(checkModelFile(path, { signal: AbortSignal.timeout(50) })).rejects.toThrow(/aborted/);
    await expect(checkModelFile(path, { signal: AbortSignal.abort() })).rejects.toThrow(/aborted/);
  });

  it('does not mind a chat template that nobody can read', async () => {
    expect(await checkModelFile(await tinyModel({ chatTemplate: '{% if' }))).toEqual({ loadable: true });
  });

  it('gives up a chat template that has no end where tools are given', async () => {
    const loops = '{% for a in range(100000) %}{% for b in range(100000) %}{% endfor %}{% endfor %}';
    const path = await tinyModel({ chatTemplate: `{% if tools %}${loops}{% endif %}Hello` });
    expect(await checkModelFile(path, { cpuMs: 2000 })).toMatchObject({
      loadable: false,
      reason: expect.stringMatching(/^rendering its chat template took more than \d s of processor time/),
      transient: true,
    });
  });

  it('speaks of a file that is not there', async () => {
    expect(await checkModelFile(join(directory, 'none.gguf'))).toMatchObject({
      loadable: false,
      transient: true,
    });
  });
});

describe.runIf(process.platform === 'linux')('a signal to the process that checks', () => {
  /** A check of its own, and the process that makes it. */
  const startCheck = async (name: string) => {
    const path = join(directory, name);
    await copyFile(await tinyModel(), path);
    const verdict = checkModelFile(path);
    return { verdict, pid: await vi.waitUntil(() => processWith(path), { timeout: 10_000, interval: 1 }) };
  };

  it('says nothing of the file', async () => {
    const { verdict, pid } = await startCheck('terminated.gguf');
    process.kill(pid, 'SIGTERM');
    expect(await verdict).toEqual({
      loadable: false,
      reason: expect.stringContaining('SIGTERM'),
      transient: true,
    });
  });

  it('from a terminal is left to the server', async () => {
    const { verdict, pid } = await startCheck('interrupted.gguf');
    // The last thing that it does before it loads the file.
    const isPrepared = () => readProc(pid, 'oom_score_adj').trim() === '1000';
    await vi.waitUntil(isPrepared, { timeout: 30_000, interval: 1 });
    for (const signal of ['SIGHUP', 'SIGINT'] as const) process.kill(pid, signal);
    expect(await verdict).toEqual({ loadable: true, findings });
  });
});

/** Id of the process that has `argument` on its command line. */
function processWith(argument: string): number | undefined {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  const found = pids.find((pid) => readProc(pid, 'cmdline').split('\0').includes(argument));
  return found === undefined ? undefined : Number(found);
}

/** '' when the process is gone. */
function readProc(pid: number | string, name: string): string {
  try {
    return readFileSync(`/proc/${pid}/${name}`, 'utf8');
  } catch {
    return '';
  }
}

describe(`checkModelFile on real models${sharedModelsDir === undefined ? ' (skipped: ../shared/models is absent)' : ''}`, () => {
  it.skipIf(sharedModelsDir === undefined).each([
    ['stories260K-chat-f16.gguf', true],
    ['babyllama105-q8_0.gguf', true],
    ['hostile-aborts-on-load.gguf', false],
  ])('%s: loadable %s', async (fileName, loadable) => {
    expect(await checkModelFile(sharedModel(fileName) ?? '')).toMatchObject({ loadable });
  });
});

describe('createModelFileCheck', () => {
  const loads = (verdict: Verdict) => {
    const asked: string[] = [];
    const check = async (path: string, _options: CheckOptions): Promise<Verdict> => {
      asked.push(path);
      await new Promise((resolve) => setTimeout(resolve, 10));
      return verdict;
    };
    return { asked, check };
  };

  it('asks once per file, also when asked at the same time', async () => {
    const { asked, check } = loads({ loadable: true });
    const checkOnce = createModelFileCheck(new MemoryStore(), check);
    const path = await tinyModel();
    expect(await Promise.all([checkOnce(path), checkOnce(path)])).toEqual([
      { loadable: true },
      { loadable: true },
    ]);
    await checkOnce(path);
    expect(asked).toEqual([path]);
  });

  it('tells what was found out about a file, also in the next process, until the file changes', async () => {
    const store = new MemoryStore();
    const { check } = loads({ loadable: true, findings });
    const checkOnce = createModelFileCheck(store, check);
    const path = await tinyModel();
    const { mtimeMs } = statSync(path);
    expect(checkOnce.known({ path, mtimeMs })).toBeUndefined();
    await checkOnce(path);
    expect(checkOnce.known({ path, mtimeMs })).toEqual({ loadable: true, findings });
    const next = createModelFileCheck(store, check);
    expect(next.known({ path, mtimeMs })).toEqual({ loadable: true, findings });
    expect(checkOnce.known({ path: `${path}-gone`, mtimeMs })).toBeUndefined();
  });

  it('asks again when the file changed', async () => {
    const { asked, check } = loads({ loadable: false, reason: 'bad', transient: false });
    const checkOnce = createModelFileCheck(new MemoryStore(), check);
    const path = join(directory, 'changing.gguf');
    await copyFile(await tinyModel(), path);
    await checkOnce(path);
    writeFileSync(path, 'something else');
    await checkOnce(path);
    expect(asked).toHaveLength(2);
  });

  it('does not remember what was the machine’s fault, nor believe a damaged store', async () => {
    const { asked, check } = loads({ loadable: false, reason: 'slow', transient: true });
    const store = new MemoryStore();
    const checkOnce = createModelFileCheck(
      { get: () => 'nonsense', put: (key, verdict) => store.put(key, verdict) },
      check,
    );
    const path = await tinyModel();
    await checkOnce(path);
    await checkOnce(path);
    expect(asked).toHaveLength(2);
    expect(store.verdicts.size).toBe(0);
  });

  it('does not repeat at once a check that did not end, and waits longer each time', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    try {
      const stalled = { loadable: false, reason: 'too slow', transient: true, timedOut: true } as const;
      const { asked, check } = loads(stalled);
      const checkOnce = createModelFileCheck(new MemoryStore(), check);
      const path = await tinyModel();
      const minutes = 60_000;
      for (const [times, delayMinutes] of [5, 10, 20, 40, 60, 60].entries()) {
        expect(await checkOnce(path)).toEqual({ ...stalled, retryAtMs: Date.now() + delayMinutes * minutes });
        vi.advanceTimersByTime(delayMinutes * minutes - 1);
        expect(await checkOnce(path)).toEqual({ ...stalled, retryAtMs: Date.now() + 1 });
        expect(asked).toHaveLength(times + 1);
        vi.advanceTimersByTime(1);
      }
    } finally {
      vi.useRealTimers();
    }
  });

  it('repeats it at once where it is told to, or the file is another', async () => {
    const { asked, check } = loads({ loadable: false, reason: 'too slow', transient: true, timedOut: true });
    const checkOnce = createModelFileCheck(new MemoryStore(), check);
    const path = join(directory, 'slow.gguf');
    await copyFile(await tinyModel(), path);
    await checkOnce(path);
    checkOnce.forget(join(directory, 'other.gguf'));
    await checkOnce(path);
    expect(asked).toHaveLength(1);
    checkOnce.forget(path);
    await checkOnce(path);
    expect(asked).toHaveLength(2);
    writeFileSync(path, 'something else');
    await checkOnce(path);
    expect(asked).toHaveLength(3);
  });

  it('lets one caller leave while the others wait on', async () => {
    const { check } = loads({ loadable: true });
    const checkOnce = createModelFileCheck(new MemoryStore(), check);
    const path = await tinyModel();
    const leaving = checkOnce(path, { signal: AbortSignal.timeout(1) });
    const staying = checkOnce(path);
    await expect(leaving).rejects.toThrow(/aborted/);
    expect(await staying).toEqual({ loadable: true });
  });
});

describe('fileFingerprint', () => {
  it('changes with the beginning, the end and the size of a file', () => {
    const path = join(directory, 'print.bin');
    const prints = [
      new Uint8Array(3e6),
      Uint8Array.of(1, ...new Uint8Array(9)),
      new Uint8Array(10),
      new Uint8Array(0),
    ].map((bytes) => {
      writeFileSync(path, bytes);
      return fileFingerprint(path).fingerprint;
    });
    const changedEnd = new Uint8Array(3e6);
    changedEnd[changedEnd.length - 1] = 1;
    writeFileSync(path, changedEnd);
    expect(new Set([...prints, fileFingerprint(path).fingerprint]).size).toBe(5);
  });
});
