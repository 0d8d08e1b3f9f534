import type { Account, RemovedAccount } from '../../accounts/accounts.ts';
import {
  budgetMeasureNames,
  listLimits,
  type Budget,
  type BudgetLimits,
  type BudgetMeasure,
} from '../../accounts/budgets/budget.ts';
import type { ApiKey, CreatedKey } from '../../accounts/keys.ts';
import { measureNames, windowMs, type Plan, type PlanSource } from '../../accounts/plans.ts';
import type { PullProgress } from '../../catalog/download/progress-reporter.ts';
import type { ServedPull } from '../../catalog/pulls/model-puller.ts';
import type { Suggestion } from '../../catalog/pulls/suggestions.ts';
import type { Catalog, CatalogModel } from '../../catalog/types.ts';
import type { MemoryUse } from '../../engine/pool/memory-use.ts';
import type { AddressStatus, ModelMemory } from '../../engine/pool/model-status.ts';
import type { Usage } from '../../limits/reports/usage.ts';
import type { Notice } from '../../notices/notices.ts';
import { aliasesOf, bytesOnDisk, contextTokensOf, isFailing, listedNames } from '../model/model-names.ts';
import { toRunsOn } from '../model/runs-on.ts';

export function toWireList<Item>(data: readonly Item[]) {
  return { object: 'list', data };
}

export function toWireAccount(account: Account) {
  return {
    id: account.id,
    object: 'account',
    name: account.name,
    plan: account.plan,
    plan_in_force: account.planInForce,
    created_at: toSeconds(account.createdAtMs),
    trial_ends_at: toSecondsOrNull(account.trialEndsAtMs),
    webhook: account.webhook,
    budgets: account.budgets.map(toWireBudget),
  };
}

export function toWireRemovedAccount(removed: RemovedAccount) {
  return {
    id: removed.id,
    object: 'account',
    name: removed.name,
    deleted: true,
    revoked_keys: removed.revokedKeys,
    deleted_responses: removed.deletedResponses,
  };
}

export function toWireKey(key: ApiKey) {
  return {
    id: key.id,
    object: 'api_key',
    account_id: key.accountId,
    account_name: key.accountName,
    name: key.name,
    kind: key.kind,
    redacted_value: key.redacted,
    state: key.state,
    models: key.allowedModels,
    scopes: key.scopes,
    parallel: key.parallel,
    tokens_left: key.tokensLeft,
    budgets: key.budgets.map(toWireBudget),
    created_at: toSeconds(key.createdAtMs),
    last_used_at: toSecondsOrNull(key.lastUsedAtMs),
    expires_at: toSecondsOrNull(key.expiresAtMs),
    revoked_at: toSecondsOrNull(key.revokedAtMs),
  };
}

/** A new key with its secret, which no other answer contains. */
export function toWireCreatedKey({ key, secret }: CreatedKey) {
  return { ...toWireKey(key), value: secret };
}

export function toWirePlan(name: string, plan: Plan, source: PlanSource) {
  return {
    object: 'plan',
    name,
    source,
    days: plan.durationMs === undefined ? null : plan.durationMs / windowMs.day,
    limits: toWireAmounts(measureNames, plan.limits),
    account: toWireBudgets(plan.accountBudgets),
    batch: plan.batchFactor === undefined ? null : { factor: plan.batchFactor },
    models: Object.fromEntries(
      [...plan.modelLimits].map(([modelId, limits]) => [
        modelId,
        { limits: toWireAmounts(measureNames, limits) },
      ]),
    ),
  };
}

/** Budgets that are wished for, by their measures. */
export function toWireBudgets(budgets: BudgetLimits<number | null> = {}) {
  const limits: Partial<Record<BudgetMeasure, Record<string, number>>> = {};
  for (const { measure, period, limit } of listLimits(budgets))
    if (limit !== null) (limits[measure] ??= {})[period] = limit;
  return toWireAmounts(budgetMeasureNames, limits);
}

export function toWireBudget({ measure, period, limit, used, left, resetsAtMs, isOfPlan }: Budget) {
  return {
    measure: budgetMeasureNames[measure],
    period,
    limit,
    used,
    left,
    resets_at: toSecondsOrNull(resetsAtMs),
    of_plan: isOfPlan,
  };
}

/** Every measure is present, so that a missing one needs no explanation; null is no limit. */
const toWireAmounts = <Measure extends string>(
  names: Readonly<Record<Measure, string>>,
  amounts: Readonly<Partial<Record<Measure, object | undefined>>>,
) =>
  Object.fromEntries(
    Object.entries<string>(names).map(([measure, name]) => [name, amounts[measure as Measure] ?? null]),
  );

export function toWireUsage(usage: Usage) {
  return {
    object: 'usage',
    start: usage.startMs === 0 ? null : toSeconds(usage.startMs),
    group: usage.group,
    label: usage.label,
    requests: usage.requests,
    refunded_requests: usage.refunded,
    failed_requests: usage.failed,
    refused_requests: usage.refused,
    prompt_tokens: usage.promptTokens,
    cached_tokens: usage.cachedTokens,
    completion_tokens: usage.completionTokens,
    audio_seconds: usage.audioSeconds,
    units: usage.units,
  };
}

export const toWireNotice = ({ id, kind, accountId, atMs, message, data, stands }: Notice) => ({
  id,
  object: 'notice',
  type: kind,
  at: toSeconds(atMs),
  account_id: accountId,
  message,
  data,
  stands,
});

/** `deletable`: whether DELETE would delete its files. */
export function toWireModelStatus(
  model: CatalogModel,
  models: Pick<ModelMemory, 'status'>,
  deletable: boolean,
) {
  const status = models.status(model.id);
  return {
    id: model.id,
    object: 'model_status',
    kind: model.kind,
    path: model.path ?? null,
    parameters: model.parameterCount,
    quantization: model.quantization,
    size_bytes: bytesOnDisk(model),
    capabilities: (['audio', 'image', 'functionCalling', 'reasoning', 'infill'] as const).filter(
      (name) => model.capabilities[name] === true,
    ),
    state: status.state,
    memory: status.memory === undefined ? null : toWireMemoryUse(status.memory),
    runs_on: toRunsOn(status),
    context_window: contextTokensOf(model, models) ?? null,
    parallel: status.slots ?? null,
    requests: status.requests ?? 0,
    busy: status.busySlots ?? 0,
    waiting: status.waiting ?? 0,
    last_used_at: toSecondsOrNull(status.lastUsedAtMs ?? null),
    unloads_at: toSecondsOrNull(status.unloadsAtMs ?? null),
    error: status.error ?? null,
    addresses: status.addresses?.map(toWireAddress) ?? null,
    upstream_label: model.upstream?.label ?? null,
    last_answer_failed: isFailing(status),
    pid: status.pid ?? null,
    deletable,
  };
}

/** More about a model that its file tells. */
export const toWireModelFacts = (catalog: Catalog, model: CatalogModel) => ({
  aliases: listedNames(catalog, model).flatMap((one) =>
    one.isReasoningVariant ? [one.name, ...aliasesOf(one)] : aliasesOf(one),
  ),
  architecture: model.path === undefined ? '' : model.architecture,
  trained_context: model.trainContextTokens,
  licence: model.licence ?? null,
  chat_template: model.chatTemplate?.() ?? null,
});

function toWireAddress(address: AddressStatus) {
  const { url, state, inFlight, requests, errors, latencyMs, reason, downSinceMs, probeAtMs } = address;
  return {
    url,
    state,
    in_flight: inFlight,
    requests,
    errors,
    latency_ms: latencyMs === undefined ? null : Math.round(latencyMs),
    reason: reason ?? null,
    down_since: downSinceMs === undefined ? null : toSeconds(downSinceMs),
    retries_at: probeAtMs === undefined ? null : toSeconds(probeAtMs),
  };
}

export function toWirePullProgress(progress: PullProgress) {
  return {
    object: 'model_pull',
    state: 'pulling',
    model: null,
    file: progress.fileName,
    received_bytes: progress.receivedBytes,
    total_bytes: progress.totalBytes ?? null,
    bytes_per_second: Math.round(progress.bytesPerSecond),
    note: progress.note ?? null,
  };
}

export function toWirePulled({ id, files, sizeBytes, wasThere }: ServedPull) {
  return {
    object: 'model_pull',
    state: 'pulled',
    model: id ?? null,
    file: files[0]?.name ?? '',
    received_bytes: sizeBytes,
    total_bytes: sizeBytes,
    bytes_per_second: 0,
    note: wasThere ? 'it was there already' : null,
  };
}

export function toWireSuggestion(
  { model, fits, tokensPerSecond, best }: Suggestion,
  servedAs: string | undefined,
) {
  return {
    id: model.id,
    object: 'model_suggestion',
    kind: model.kind,
    source: model.source,
    size_bytes: model.sizeBytes,
    memory_bytes: model.memoryBytes,
    licence: model.licence,
    good_for: model.goodFor,
    fits,
    best,
    tokens_per_second: tokensPerSecond ?? null,
    served_as: servedAs ?? null,
  };
}

export function toWireMemory({ budget, used }: ModelMemory['memory']) {
  return { budget: toWireMemoryUse(budget), used: toWireMemoryUse(used) };
}

function toWireMemoryUse({ ramBytes, vramBytes }: MemoryUse) {
  return { ram_bytes: Math.ceil(ramBytes), vram_bytes: Math.ceil(vramBytes) };
}

export function toSeconds(timeMs: number): number {
  return Math.floor(timeMs / 1000);
}

export function toSecondsOrNull(timeMs: number | null): number | null {
  return timeMs === null ? null : toSeconds(timeMs);
}
