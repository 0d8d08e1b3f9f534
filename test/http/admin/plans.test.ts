import { afterEach, beforeEach, expect, it } from 'vitest';
import { readMadePlans } from '../../../src/accounts/made-plans.ts';
import { defaultPlans, plansWith, PlanBook } from '../../../src/accounts/plans.ts';
import { itemsOf, listenWithAccounts, type AdminService } from '../../support/fakes/admin-service.ts';
import { hello } from '../../support/fakes/http-service.ts';
import { expectError } from '../../support/wire/error-envelope.ts';

let service: AdminService;
beforeEach(async () => {
  service = await listenWithAccounts();
});
afterEach(() => service.close());

const path = '/admin/v1/plans';
const team = { name: 'team', limits: { requests: { minute: 2 } }, account: { tokens: { day: 500 } } };
const planNamed = async (name: string) =>
  itemsOf(await service.ask('GET', path)).find((plan) => plan['name'] === name);

it('makes a plan that holds from the next request on, also as it is changed', async () => {
  const made = await service.ask('POST', path, { ...team, batch: { factor: 0.5 } });
  expect(made).toMatchObject({
    source: 'made',
    days: null,
    batch: { factor: 0.5 },
    account: { tokens: { day: 500 } },
  });
  const { id: accountId } = service.accounts.create({ name: 'ada', plan: 'team' });
  const { secret } = service.keys.create({ accountId });
  const limit = async () =>
    (await service.send('POST', '/v1/chat/completions', hello, secret)).headers.get(
      'x-ratelimit-limit-requests',
    );
  expect(await limit()).toBe('2');
  // An answer can be sent back as it is, but for the names that are no part of a plan.
  const { object: _, source, ...same } = made;
  expect(await service.ask('POST', path, same)).toEqual(made);
  expect(source).toBe('made');
  await service.ask('POST', path, { ...team, limits: { requests: { minute: 7 } } });
  expect(await limit()).toBe('7');
  expect(await service.ask('GET', '/admin/v1/accounts/ada')).toMatchObject({
    budgets: [{ measure: 'tokens', period: 'day', limit: 500, of_plan: true }],
  });
  const acts = itemsOf(await service.ask('GET', '/admin/v1/audit')).filter(
    ({ subject }) => subject === 'team',
  );
  expect(acts.map(({ act }) => act)).toEqual(['plan.change', 'plan.change', 'plan.create']);
  expect(acts[0]).toMatchObject({
    actor: service.admin.key.id,
    before: { limits: { requests: { minute: 2 } } },
    after: { limits: { requests: { minute: 7 } } },
  });
});

it('gives a model limits of its own, by its id', async () => {
  const models = { tiny: { limits: { output_tokens: { '30d': 9 } } } };
  expect(await service.ask('POST', path, { ...team, models })).toMatchObject({
    models: { tiny: { limits: { requests: null, output_tokens: { '30d': 9 } } } },
  });
});

it.each(['nobody', '__proto__', 'constructor'])('gives %s no limits, which is no model', async (id) => {
  const models = JSON.parse(`{"${id}": {"limits": {}}}`) as unknown;
  const response = await service.send('POST', path, { ...team, models });
  await expectError(response, 'invalid_value', `models.${id}`);
});

it('replaces a built-in plan, which holds again when that is taken away', async () => {
  const builtIn = await planNamed('trial');
  await service.ask('POST', path, { name: 'trial', limits: {}, days: 5 });
  expect(await planNamed('trial')).toMatchObject({ source: 'made', days: 5, limits: { requests: null } });
  await service.ask('POST', path, { name: 'trial', limits: {} });
  expect(await planNamed('trial')).toMatchObject({ days: 30 });
  service.accounts.create({ name: 'on trial' });
  const left = await service.ask('DELETE', `${path}/trial`);
  expect(itemsOf(left)[0]).toEqual(builtIn);
});

it('takes no plan away that accounts or open invitations are on', async () => {
  await service.ask('POST', path, team);
  const remove = () => service.send('DELETE', `${path}/team`);
  for (const name of ['a', 'b', 'c', 'd']) service.accounts.create({ name, plan: 'team' });
  expect(await expectError(await remove(), 'invalid_value', 'name')).toContain('a, b, c and 1 more');
  for (const name of ['a', 'b', 'c', 'd']) service.accounts.change(name, { plan: 'trial' });
  const { id } = await service.ask('POST', '/admin/v1/invitations', { plan: 'team' }, 201);
  expect(await expectError(await remove(), 'invalid_value', 'name')).toContain(String(id));
  await service.ask('DELETE', `/admin/v1/invitations/${String(id)}`);
  expect((await remove()).status).toBe(200);
  expect(await expectError(await remove(), 'invalid_value', 'name')).toContain('no plan "team"');
  expect(await expectError(await service.send('DELETE', `${path}/trial`), 'invalid_value')).toContain(
    'built in',
  );
});

it('leaves the plans of the configuration to it', async () => {
  const nothing = { durationMs: undefined, limits: {}, modelLimits: new Map() };
  await service.ask('POST', path, team);
  service.plans.replace(plansWith([['crew', nothing]]), service.clock.nowMs);
  expect(await planNamed('crew')).toMatchObject({ source: 'file' });
  expect(await planNamed('team')).toMatchObject({ source: 'made' });
  const answer = await service.send('POST', path, { ...team, name: 'crew' });
  expect(await expectError(answer, 'invalid_value', 'name')).toMatch(/hearth\.yaml.*SIGHUP/);
  await expectError(await service.send('DELETE', `${path}/crew`), 'invalid_value', 'name');
  // One that the configuration has by now is not lost: it holds again when that has it no more.
  service.plans.replace(plansWith([['team', nothing]]), service.clock.nowMs);
  expect(service.plans.hidden).toEqual(['team']);
  expect(await planNamed('team')).toMatchObject({ source: 'file', limits: { requests: null } });
  service.plans.replace(defaultPlans, service.clock.nowMs);
  expect(await planNamed('team')).toMatchObject({ source: 'made', limits: { requests: { minute: 2 } } });
});

it('has the plans after a restart, and in other processes', async () => {
  await service.ask('POST', path, { ...team, models: { tiny: { limits: { requests: { day: 3 } } } } });
  const book = new PlanBook(defaultPlans, 0, undefined, {}, readMadePlans(service.store));
  expect(book.plans.get('team')).toEqual(service.plans.plans.get('team'));
});

it('lets only unlimited admin keys edit', async () => {
  const { id: accountId } = service.accounts.create({ name: 'ada', plan: 'trial' });
  const key = (kind: 'user' | 'admin', scopes?: string[]) =>
    service.keys.create({ accountId, kind, scopes }).secret;
  for (const secret of [key('user'), key('admin', ['read']), key('admin', ['plan:trial'])])
    for (const [method, at] of [
      ['POST', path],
      ['DELETE', `${path}/trial`],
    ] as const)
      await expectError(
        await service.send(method, at, method === 'POST' ? team : undefined, secret),
        'insufficient_permissions',
      );
});

it.each([
  { name: 'no limits', body: { name: 'x' }, code: 'missing_required_parameter', param: 'limits' },
  { name: 'a list of models', body: { ...team, models: [] }, code: 'invalid_type', param: 'models' },
  { name: 'a slip', body: { ...team, limit: {} }, code: 'unknown_parameter', param: 'limit' },
  {
    name: 'a slip below',
    body: { ...team, limits: { inputTokens: {} } },
    code: 'unknown_parameter',
    param: 'limits.inputTokens',
  },
  {
    name: 'a window that there is not',
    body: { ...team, limits: { requests: { week: 3 } } },
    code: 'unknown_parameter',
    param: 'limits.requests.week',
  },
  { name: 'no limit at all', body: { ...team, limits: { requests: { day: 0 } } }, code: 'invalid_value' },
  { name: 'an end', body: { ...team, days: 3 }, code: 'invalid_value', param: 'days' },
  { name: 'control characters', body: { ...team, name: 'a\u001b' }, code: 'invalid_value', param: 'name' },
  { name: 'a slash', body: { ...team, name: 'a/b' }, code: 'invalid_value', param: 'name' },
] as const)('refuses $name', async ({ body, code, ...more }) => {
  await expectError(await service.send('POST', path, body), code, 'param' in more ? more.param : undefined);
});
