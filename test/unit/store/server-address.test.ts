import { readdirSync, statSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { acquireProcessLock } from '../../../src/store/process-lock.ts';
import {
  findServer,
  publishServerAddress,
  withdrawServerAddress,
} from '../../../src/store/server-address.ts';
import { openTempStore, type TempStore } from './temp-store.ts';

const baseUrl = 'http://127.0.0.1:8080/v1';

let temp: TempStore;
beforeEach(() => {
  temp = openTempStore();
});
afterEach(() => temp.dispose());

describe('the address of a server', () => {
  it('is found while the lock is held, and only then', () => {
    expect(findServer(temp.file)).toEqual({ state: 'none' });
    const lock = acquireProcessLock(temp.file);
    expect(findServer(temp.file)).toEqual({ state: 'unreachable' });
    publishServerAddress(temp.file, baseUrl);
    expect(findServer(temp.file)).toEqual({ state: 'serving', baseUrl });
    lock?.release();
    expect(findServer(temp.file)).toEqual({ state: 'none' });
  });

  it('is readable by the owner only, leaves nothing else, and can be taken back twice', () => {
    publishServerAddress(temp.file, baseUrl);
    expect(statSync(`${temp.file}.address`).mode & 0o777).toBe(0o600);
    withdrawServerAddress(temp.file);
    withdrawServerAddress(temp.file);
    expect(readdirSync(dirname(temp.file)).filter((name) => name.includes('address'))).toEqual([]);
  });

  it.each(['', 'nonsense', 'file:///etc/passwd', 'ftp://example.org/v1'])('is none of these: %j', (text) => {
    const lock = acquireProcessLock(temp.file);
    writeFileSync(`${temp.file}.address`, text);
    expect(findServer(temp.file)).toEqual({ state: 'unreachable' });
    lock?.release();
  });

  it('can be looked for without getting in the way of who takes the lock', () => {
    findServer(temp.file);
    const lock = acquireProcessLock(temp.file);
    expect(lock).toBeDefined();
    lock?.release();
  });
});
