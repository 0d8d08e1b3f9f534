import { expect, it } from 'vitest';
import { cacheFindings } from '../../../../src/cli/doctor/examine.ts';
import { openLimiter, principalOf, requestOf, settlementOf, startMs } from '../../limits/fixture.ts';

it('tells how much of its prompts each key found in the cache, and what to do where an agent found little', () => {
  const { limiter, temp, clock } = openLimiter({});
  const use = (keyId: string, promptTokens: number, cachedTokens: number) => {
    for (let request = 0; request < 5; request++)
      limiter
        .admit(requestOf({ principal: principalOf(keyId) }))
        .settle(settlementOf({ promptTokens, cachedTokens }));
  };
  use('key_old', 1e6, 0);
  clock.nowMs += 8 * 86_400_000;
  use('key_agent', 20_000, 18_000);
  use('key_spoiled', 10_000, 34);
  use('key_short', 100, 0);
  use('key_audio', 0, 0);
  expect(cacheFindings(temp.store, clock.nowMs)).toEqual([
    { subject: 'cache', ok: true, finding: 'key_agent: 90 % of 100,000 prompt tokens of a week came from the cache' },
    {
      subject: 'cache',
      ok: true,
      finding: 'key_spoiled: 0 % of 50,000 prompt tokens of a week came from the cache',
      remedy: expect.stringContaining('what spoils the cache') as string,
    },
    { subject: 'cache', ok: true, finding: 'key_short: 0 % of 500 prompt tokens of a week came from the cache' },
  ]); // prettier-ignore
  expect(cacheFindings(temp.store, startMs - 1)).toHaveLength(4);
  temp.dispose();
});
