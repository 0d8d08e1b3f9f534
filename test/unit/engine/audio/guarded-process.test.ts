import { describe, expect, it } from 'vitest';
import { runGuarded } from '../../../../src/engine/audio/guarded-process.ts';

const plenty = { timeoutMs: 60_000, memoryBytes: 2 ** 30 };
const never = new AbortController().signal;
const node = (script: string) => ({ file: process.execPath, args: ['-e', script] });
const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

describe('a guarded process', () => {
  it('gives its output, its exit code and the end of what it complained of', async () => {
    let output = '';
    const script =
      'process.stdout.write("good"); process.stderr.write("x".repeat(9999) + "bad"); process.exitCode = 3';
    const end = await runGuarded(node(script), plenty, never, (chunk) => {
      output += chunk.toString();
      return true;
    });
    expect(output).toBe('good');
    expect(end).toMatchObject({ exitCode: 3, stopped: undefined });
    expect(end.diagnostics).toHaveLength(4096);
    expect(end.diagnostics.endsWith('xbad')).toBe(true);
  });

  it('is stopped when it takes too long', async () => {
    const end = await runGuarded(
      node('setInterval(() => {}, 1e6)'),
      { ...plenty, timeoutMs: 50 },
      never,
      () => true,
    );
    expect(end).toMatchObject({ exitCode: null, stopped: 'timeout' });
  });

  it('is stopped when nobody wants more of it', async () => {
    let pieces = 0;
    const script = 'const more = () => process.stdout.write("x".repeat(1e5), more); more()';
    const end = await runGuarded(node(script), plenty, never, () => ++pieces < 3);
    expect(end).toMatchObject({ exitCode: null, stopped: 'unwanted' });
    expect(pieces).toBe(3);
  });

  it.runIf(process.platform === 'linux')('is stopped when it takes too much memory', async () => {
    const script = 'const all = []; setInterval(() => all.push(Buffer.alloc(2e7, 1)), 10)';
    const end = await runGuarded(node(script), { ...plenty, memoryBytes: 3e8 }, never, () => true);
    expect(end).toMatchObject({ exitCode: null, stopped: 'memory' });
  });

  it('is gone when its signal has aborted', async () => {
    const leaving = new AbortController();
    let pid = 0;
    const script = 'console.log(process.pid); setInterval(() => {}, 1e6)';
    const running = runGuarded(node(script), plenty, leaving.signal, (chunk) => {
      pid = Number(chunk.toString());
      leaving.abort(new Error('left'));
      return true;
    });
    await expect(running).rejects.toThrow('left');
    expect(pid).toBeGreaterThan(0);
    expect(isAlive(pid)).toBe(false);
    await expect(runGuarded(node(''), plenty, leaving.signal, () => true)).rejects.toThrow('left');
  });

  it('cannot be a program that there is not', async () => {
    const absent = { file: '/nowhere/ffmpeg', args: [] };
    await expect(runGuarded(absent, plenty, never, () => true)).rejects.toThrow('ENOENT');
  });
});
