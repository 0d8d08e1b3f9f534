import { afterEach, expect, it } from 'vitest';
import { formatGoDuration } from '../../../../src/limits/reports/headers.ts';
import { openLimiter, refusalOf, requestOf, settlementOf } from '../fixture.ts';

let fixture: ReturnType<typeof openLimiter> | undefined;
afterEach(() => {
  fixture?.temp.dispose();
  fixture = undefined;
});

it.each([
  [0, '0s'],
  [1, '1ms'],
  [999, '999ms'],
  [1000, '1s'],
  [1001, '2s'],
  [59_001, '1m0s'],
  [360_000, '6m0s'],
  [3_661_000, '1h1m1s'],
  [2_592_000_000, '720h0m0s'],
])('prints %d ms as Go does: %s', (durationMs, text) => {
  expect(formatGoDuration(durationMs)).toBe(text);
});

it('shows the tightest window of each measure and of both kinds of tokens', () => {
  fixture = openLimiter({
    requests: { minute: 60, day: 61 },
    inputTokens: { minute: 1000, '30d': 30_000 },
    outputTokens: { minute: 500 },
    audioSeconds: { hour: 10 },
  });
  expect(fixture.limiter.admit(requestOf()).headers).toEqual({
    'x-ratelimit-limit-requests': '60',
    'x-ratelimit-remaining-requests': '59',
    'x-ratelimit-reset-requests': '1s',
    'x-ratelimit-limit-input-tokens': '1000',
    'x-ratelimit-remaining-input-tokens': '1000',
    'x-ratelimit-reset-input-tokens': '0s',
    'x-ratelimit-limit-output-tokens': '500',
    'x-ratelimit-remaining-output-tokens': '500',
    'x-ratelimit-reset-output-tokens': '0s',
    'x-ratelimit-limit-tokens': '500',
    'x-ratelimit-remaining-tokens': '500',
    'x-ratelimit-reset-tokens': '0s',
  });
});

it('shows a 30-day budget once it is the tighter one', () => {
  fixture = openLimiter({ inputTokens: { minute: 1000, '30d': 1500 } });
  const { limiter, clock } = fixture;
  limiter.admit(requestOf()).settle(settlementOf({ promptTokens: 900 }));
  clock.nowMs += 60_000;
  expect(limiter.admit(requestOf()).headers).toMatchObject({
    'x-ratelimit-limit-input-tokens': '1500',
    'x-ratelimit-remaining-input-tokens': '600',
    'x-ratelimit-limit-tokens': '1500',
  });
});

it('shows audio in seconds', () => {
  fixture = openLimiter({ audioSeconds: { hour: 3600 } });
  const request = requestOf({ measures: ['requests', 'audioSeconds'] });
  fixture.limiter.admit(request).settle(settlementOf({ audioSeconds: 12.5 }));
  expect(fixture.limiter.admit(request).headers).toEqual({
    'x-ratelimit-limit-audio-seconds': '3600',
    'x-ratelimit-remaining-audio-seconds': '3587',
    'x-ratelimit-reset-audio-seconds': '13s',
  });
});

it('comes with a refusal too, and never below zero', () => {
  fixture = openLimiter({ inputTokens: { minute: 60 } });
  const { limiter } = fixture;
  limiter.admit(requestOf()).settle(settlementOf({ promptTokens: 70 }));
  const refusal = refusalOf(limiter, requestOf());
  expect(refusal?.retryAfterSeconds).toBe(11);
  expect(refusal?.headers).toMatchObject({
    'x-ratelimit-limit-input-tokens': '60',
    'x-ratelimit-remaining-input-tokens': '0',
    'x-ratelimit-reset-input-tokens': '1m10s',
  });
});
