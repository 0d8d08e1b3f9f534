import { expect, it } from 'vitest';
import { isolationFindings } from '../../../../src/cli/doctor/examine-models.ts';
import { fakeModel } from '../../../support/fakes/fake-services.ts';

const model = (id: string, isolation?: 'process' | 'none') => {
  const { settings } = fakeModel(id);
  return fakeModel(id, { path: `/models/${id}.gguf`, settings: { ...settings, isolation } });
};

it('names the models that run in processes of their own, where any does', () => {
  expect(isolationFindings([model('a'), model('b', 'none')])).toEqual([]);
  const some = isolationFindings([model('a', 'process'), model('b')]);
  expect(some).toMatchObject([{ subject: 'isolation', ok: true, finding: 'in processes of their own: a' }]);
  const elsewhere = fakeModel('c', { path: undefined });
  const all = isolationFindings([model('a', 'process'), model('b', 'process'), elsewhere]);
  expect(all[0]?.finding).toMatch(/^all models/);
});
