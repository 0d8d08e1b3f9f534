import { PlanBook, type Limits, type Plan } from '../../../src/accounts/plans.ts';
import type { Principal } from '../../../src/accounts/types.ts';
import { AppError } from '../../../src/errors/errors.ts';
import { StoredLimiter } from '../../../src/limits/limiter.ts';
import type { AdmissionRequest, Limiter, Settlement } from '../../../src/limits/types.ts';
import { openTempStore } from '../store/temp-store.ts';

export const startMs = Date.UTC(2026, 10, 20);

export function planOf(limits: Limits, modelLimits: Record<string, Limits> = {}): Plan {
  return { durationMs: undefined, limits, modelLimits: new Map(Object.entries(modelLimits)) };
}

/** A limiter on a store of its own with one plan named `plan`, and a clock that stands still until it is set. */
export function openLimiter(limits: Limits, modelLimits?: Record<string, Limits>) {
  const temp = openTempStore();
  const clock = { nowMs: startMs };
  const plans = new PlanBook(new Map([['plan', planOf(limits, modelLimits)]]), startMs);
  const create = () => new StoredLimiter({ store: temp.store, plans, now: () => clock.nowMs });
  const fixture = {
    temp,
    clock,
    plans,
    limiter: create(),
    /** As after a crash: requests in flight are gone from memory. */
    restart() {
      temp.reopen();
      fixture.limiter = create();
      return fixture.limiter.recoverInterrupted();
    },
  };
  return fixture;
}

export function principalOf(keyId: string, planSinceMs?: number): Principal {
  const principal = {
    keyId,
    accountId: 'acct_1',
    accountName: 'alice',
    kind: 'user',
    allowedModels: null,
  } as const;
  const plan = { planName: 'plan' };
  return planSinceMs === undefined ? { ...principal, ...plan } : { ...principal, ...plan, planSinceMs };
}

export function requestOf(change: Partial<AdmissionRequest> = {}): AdmissionRequest {
  return {
    principal: principalOf('key_1'),
    modelId: 'model',
    measures: ['requests', 'inputTokens', 'outputTokens'],
    route: '/v1/chat/completions',
    ...change,
  };
}

export function settlementOf(change: Partial<Settlement> = {}): Settlement {
  return {
    status: 200,
    promptTokens: 0,
    cachedTokens: 0,
    completionTokens: 0,
    audioSeconds: 0,
    durationMs: 1,
    timeToFirstTokenMs: null,
    refundRequest: false,
    ...change,
  };
}

/** The refusal of a request; undefined when it was admitted (and stays in flight). */
export function refusalOf(limiter: Limiter, request: AdmissionRequest): AppError | undefined {
  try {
    limiter.admit(request);
    return undefined;
  } catch (error) {
    if (error instanceof AppError) return error;
    throw error;
  }
}
