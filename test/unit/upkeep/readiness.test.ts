import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ModelStatus } from '../../../src/engine/pool/model-status.ts';
import { createReadiness } from '../../../src/upkeep/readiness.ts';
import { createLog } from '../../../src/telemetry/log.ts';
import { fakeModel } from '../../support/fakes/fake-services.ts';
import { openTempStore, type TempStore } from '../store/temp-store.ts';

let temp: TempStore;
beforeEach(() => {
  temp = openTempStore();
});
afterEach(() => temp.dispose());

interface Situation {
  readonly states?: Readonly<Record<string, ModelStatus['state']>>;
  readonly pending?: readonly string[];
  readonly awaited?: readonly string[];
}

function reasonOf({ states = { tiny: 'available' }, pending = [], awaited = [] }: Situation) {
  const unready = createReadiness({
    store: temp.store,
    catalog: {
      list: () => Object.keys(states).map((id) => fakeModel(id)),
      pending: () =>
        pending.map((id) => ({ id, source: 'hf:a/b', sha256: undefined, pullable: true, reason: '' })),
    },
    models: { status: (id) => ({ state: states[id] ?? 'available' }) },
    awaited: () => awaited,
    log: createLog({ level: 'silent' }),
  });
  return unready()?.message;
}

describe('readiness', () => {
  it.each<[string, Situation, RegExp | undefined]>([
    ['a model on the disk is enough', {}, undefined],
    ['one of two is enough', { states: { a: 'failed', b: 'available' } }, undefined],
    ['no model at all', { states: {} }, /there is no model/],
    ['a model that must be pulled first', { states: {}, pending: ['big'] }, /big must be pulled first/],
    ['none that loads', { states: { a: 'failed', b: 'failed' } }, /a, b cannot be loaded/],
    ['a preload under way', { awaited: ['tiny'] }, /tiny is being loaded/],
  ])('%s', (_what, situation, reason) => {
    const message = reasonOf(situation);
    if (reason === undefined) expect(message).toBeUndefined();
    else expect(message).toMatch(reason);
  });

  it('knows a database that cannot be written, and says it together with the rest', () => {
    temp.store.close();
    expect(reasonOf({ states: {} })).toMatch(/the database cannot be written; there is no model/);
  });
});
