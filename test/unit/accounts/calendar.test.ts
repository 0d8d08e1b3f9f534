import { describe, expect, it } from 'vitest';
import { fc } from '../../support/properties.ts';
import { Calendar } from '../../../src/accounts/budgets/calendar.ts';

const hourMs = 3_600_000;
const at = (text: string) => Date.parse(text);
const iso = (ms: number) => new Date(ms).toISOString().replace(':00.000Z', 'Z');

describe('a period', () => {
  it.each([
    // A day of 23 hours, and one of 25.
    ['Europe/Berlin', 'day', '2026-03-29T10:00Z', '2026-03-28T23:00Z', '2026-03-29T22:00Z'],
    ['Europe/Berlin', 'day', '2026-10-25T10:00Z', '2026-10-24T22:00Z', '2026-10-25T23:00Z'],
    // A day that begins at one o'clock, and one that has midnight twice.
    ['Africa/Cairo', 'day', '2026-04-24T10:00Z', '2026-04-23T22:00Z', '2026-04-24T21:00Z'],
    ['America/Havana', 'day', '2026-11-01T10:00Z', '2026-11-01T04:00Z', '2026-11-02T05:00Z'],
    ['Pacific/Kiritimati', 'day', '2026-11-26T09:59Z', '2026-11-25T10:00Z', '2026-11-26T10:00Z'],
    ['Pacific/Pago_Pago', 'day', '2026-11-26T10:59Z', '2026-11-25T11:00Z', '2026-11-26T11:00Z'],
    ['Asia/Kathmandu', 'day', '2026-11-26T00:00Z', '2026-11-25T18:15Z', '2026-11-26T18:15Z'],
    // From Monday to Monday, over the end of a year.
    ['Europe/Berlin', 'week', '2027-01-01T10:00Z', '2026-12-27T23:00Z', '2027-01-03T23:00Z'],
    ['UTC', 'week', '2026-11-29T23:59Z', '2026-11-23T00:00Z', '2026-11-30T00:00Z'],
    ['UTC', 'month', '2028-02-29T12:00Z', '2028-02-01T00:00Z', '2028-03-01T00:00Z'],
    ['Europe/Berlin', 'month', '2026-12-31T23:30Z', '2026-12-31T23:00Z', '2027-01-31T23:00Z'],
  ] as const)('in %s: the %s at %s is from %s to %s', (zone, period, now, begin, end) => {
    const { beginsAtMs, endsAtMs } = new Calendar(zone).at(period, at(now));
    expect([iso(beginsAtMs), iso(endsAtMs)]).toEqual([begin, end]);
  });

  it('follows the one before it without a gap, in any zone and year', () => {
    const zones = fc.constantFrom(
      'Europe/Berlin',
      'America/New_York',
      'Australia/Lord_Howe',
      'Africa/Cairo',
      'UTC',
    );
    const periods = fc.constantFrom('day' as const, 'week' as const, 'month' as const);
    const times = fc.integer({ min: at('2020-01-01T00:00Z'), max: at('2040-01-01T00:00Z') });
    fc.assert(
      fc.property(zones, periods, times, (zone, period, nowMs) => {
        const calendar = new Calendar(zone);
        const span = calendar.at(period, nowMs);
        expect(span.beginsAtMs).toBeLessThanOrEqual(nowMs);
        expect(span.endsAtMs).toBeGreaterThan(nowMs);
        const next = calendar.at(period, span.endsAtMs);
        expect([next.beginsAtMs, next.start > span.start]).toEqual([span.endsAtMs, true]);
        expect(calendar.at(period, nowMs)).toEqual(span);
      }),
      { numRuns: 200 },
    );
  });
});

describe('a clock that is set', () => {
  const calendar = new Calendar('Europe/Berlin');
  const midnight = at('2026-11-26T23:00Z');
  const next = (stored: string, nowMs: number) => {
    const { span, isNew } = calendar.next('day', stored, nowMs);
    return [span.start, isNew];
  };

  it('back over midnight does not give the new day twice', () => {
    expect(next('2026-11-26', midnight + 1000)).toEqual(['2026-11-27', true]);
    expect(next('2026-11-27', midnight - 1000)).toEqual(['2026-11-27', false]);
    expect(next('2026-11-27', midnight + 2000)).toEqual(['2026-11-27', false]);
  });

  it('back by years blocks nothing for years, and gives nothing away at once', () => {
    expect(next('2031-05-01', midnight - 1000)).toEqual(['2026-11-26', false]);
    expect(next('2026-11-26', midnight)).toEqual(['2026-11-27', true]);
  });

  it('by an hour for winter begins nothing anew', () => {
    const twice = at('2026-10-25T00:30Z');
    expect(next('2026-10-25', twice)).toEqual(['2026-10-25', false]);
    expect(next('2026-10-25', twice + hourMs)).toEqual(['2026-10-25', false]);
  });

  it('by another zone in the settings begins nothing anew', () => {
    for (const zone of ['Asia/Tokyo', 'America/Los_Angeles'])
      expect(new Calendar(zone).next('day', '2026-11-26', at('2026-11-26T09:00Z')).isNew).toBe(false);
  });
});
