import type { BudgetPeriod } from '../../store/tables/use/budget-table.ts';

/** The times after which a budget begins anew; `ever`: it never does. */
export const budgetPeriods = ['ever', 'day', 'week', 'month'] as const satisfies readonly BudgetPeriod[];

interface Span {
  /** The date of its first day, such as `2026-11-23`; empty where it has none. */
  readonly start: string;
  /** Unix ms. */
  readonly beginsAtMs: number;
  readonly endsAtMs: number;
}

const forever: Span = { start: '', beginsAtMs: Number.NEGATIVE_INFINITY, endsAtMs: Number.POSITIVE_INFINITY };

/** No zone is further from UTC. */
const mostOffsetMs = 15 * 3_600_000;
const dayMs = 24 * 3_600_000;

/**
 * Days, weeks (from Monday) and months of one time zone. Periods are told apart by their dates and not by times, so a day
 * of 23 or 25 hours is one day, and another time zone in the settings begins none anew.
 */
export class Calendar {
  readonly timeZone: string;
  readonly #format: Intl.DateTimeFormat;
  readonly #spans = new Map<BudgetPeriod, Span>();

  constructor(timeZone = Intl.DateTimeFormat().resolvedOptions().timeZone) {
    this.timeZone = timeZone;
    // Sweden writes dates as ISO does.
    this.#format = new Intl.DateTimeFormat('sv', {
      timeZone,
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
    });
  }

  /** The period at a time. */
  at(period: BudgetPeriod, nowMs: number): Span {
    if (period === 'ever') return forever;
    const known = this.#spans.get(period);
    if (known !== undefined && nowMs >= known.beginsAtMs && nowMs < known.endsAtMs) return known;
    const span = this.from(period, firstDay(period, this.#dateAt(nowMs)));
    this.#spans.set(period, span);
    return span;
  }

  /** The period that begins on the day `start`. */
  from(period: BudgetPeriod, start: string): Span {
    if (period === 'ever') return forever;
    return { start, beginsAtMs: this.#midnight(start), endsAtMs: this.#midnight(dayAfter(period, start)) };
  }

  /**
   * The period that a use counts for at `nowMs`, where the last one counted for that from `stored` on. A clock that was
   * set back by less than a period goes on in the later one: to go back would give away its use. One that was set back
   * by more was wrong before: waiting for its time would block a budget for as long.
   */
  next(
    period: BudgetPeriod,
    stored: string,
    nowMs: number,
  ): { readonly span: Span; readonly isNew: boolean } {
    const span = this.at(period, nowMs);
    if (stored <= span.start) return { span, isNew: stored < span.start };
    const isNear = stored === dayAfter(period, span.start);
    return { span: isNear ? this.from(period, stored) : span, isNew: false };
  }

  #dateAt(atMs: number): string {
    return this.#format.format(atMs);
  }

  /** The first millisecond of a day, which some zones begin at one o'clock when summer time begins. */
  #midnight(date: string): number {
    const utcMs = Date.parse(`${date}T00:00:00Z`);
    let [before, after] = [utcMs - mostOffsetMs, utcMs + mostOffsetMs];
    while (after - before > 1) {
      const middle = Math.floor((before + after) / 2);
      if (this.#dateAt(middle) >= date) after = middle;
      else before = middle;
    }
    return after;
  }
}

const toDate = (ms: number) => new Date(ms).toISOString().slice(0, 10);

function firstDay(period: BudgetPeriod, date: string): string {
  if (period === 'month') return `${date.slice(0, 7)}-01`;
  if (period === 'day') return date;
  const utcMs = Date.parse(`${date}T00:00:00Z`);
  return toDate(utcMs - ((new Date(utcMs).getUTCDay() + 6) % 7) * dayMs);
}

/** The first day of the period behind that from `start` on. */
function dayAfter(period: BudgetPeriod, start: string): string {
  const utcMs = Date.parse(`${start}T00:00:00Z`);
  if (period !== 'month') return toDate(utcMs + (period === 'week' ? 7 : 1) * dayMs);
  return `${toDate(utcMs + 31 * dayMs).slice(0, 7)}-01`;
}
