import { z } from 'zod';
import {
  budgetMeasureNames,
  greatestUnits,
  type BudgetLimits,
  type BudgetMeasure,
} from '../../accounts/budgets/budget.ts';
import { budgetPeriods } from '../../accounts/budgets/calendar.ts';
import { userScopes } from '../../accounts/types.ts';
import { greatestLimit, measureNames, windows, type Limits } from '../../accounts/plans.ts';
import { modelIdPattern, modelIdRule } from '../../catalog/pulls/model-source.ts';
import { toDurationMs } from '../../config/values/duration.ts';
import { eachOf } from '../../config/values/each-of.ts';
import { mostSeats, mostTrialDays } from '../../bounds.ts';
import { parseTimeBound, timeBoundForms, type TimeBound } from '../../config/values/time-bound.ts';
import { usageGroupings, usageSteps } from '../../limits/reports/usage.ts';
import { webhookProblem } from '../../notices/webhook.ts';
import { namedObject } from '../openapi/json-schema.ts';
import { countIn, pageOf } from '../parameters/list-page.ts';
import { list, mapOf, refuse } from '../parameters/schema-parts.ts';

const maxNameChars = 256;
const maxAllowedModels = 256;
const maxSourceChars = 2048;
const name = z.string().min(1).max(maxNameChars);

/** A finite duration, written as in the rest of hearth; in milliseconds. */
const duration = z
  .string()
  .transform((text, context) => {
    const durationMs = toDurationMs(text);
    if (durationMs !== undefined && Number.isFinite(durationMs)) return durationMs;
    return refuse(context, 'must be a duration such as 30m, 1h or 90d');
  })
  .describe('A duration such as `30m`, `1h` or `90d`.');

const bound = z
  .string()
  .transform((text, context): TimeBound => {
    const timeBound = parseTimeBound(text);
    if (timeBound !== undefined) return timeBound;
    return refuse(context, `must be ${timeBoundForms}`);
  })
  .describe('A time such as `2026-11-20`, `2026-11-20T09:30:00Z` or `1795165800`, or an age such as `7d`.');

/** A whole object has `null` where it has nothing, as answers have it. */
const orNothing = <Schema extends z.ZodType>(schema: Schema) => schema.nullable().optional();

/** An object of a schema for each measure, by its name in the API; the output has the names of `names`. */
function perMeasure<Measure extends string, Value>(
  names: Readonly<Record<Measure, string>>,
  schemaOf: (measure: Measure) => z.ZodType<Value>,
) {
  const all = Object.entries<string>(names) as [Measure, string][];
  return z
    .strictObject(Object.fromEntries(all.map(([measure, wireName]) => [wireName, schemaOf(measure)])))
    .transform(
      (given) =>
        Object.fromEntries(all.map(([measure, wireName]) => [measure, given[wireName]])) as Record<
          Measure,
          Value
        >,
    );
}

const wholeLimit = z.int().min(1).max(greatestLimit);
/** Seconds are counted in thousandths, and units in millionths. */
const budgetLimits: Readonly<Record<BudgetMeasure, z.ZodType<number>>> = {
  tokens: wholeLimit,
  requests: wholeLimit,
  audioSeconds: z.number().min(0.001).max(greatestLimit),
  units: z.number().min(0.000001).max(greatestUnits),
};
const perPeriod = (measure: BudgetMeasure) => eachOf(budgetPeriods, orNothing(budgetLimits[measure]));

/** Budgets by measure and period, as in `{"tokens": {"day": 50000}}`; null removes one. */
const budgets = perMeasure(budgetMeasureNames, (measure) => perPeriod(measure).optional())
  .transform((given): BudgetLimits<number | null> => given)
  .describe('What may be used in a period, of all models together; null: no such budget.');

const webhook = z
  .string()
  .superRefine((address, context) => {
    const problem = webhookProblem(address);
    if (problem !== undefined) context.addIssue({ code: 'custom', message: problem });
  })
  .nullable()
  .describe('Where it is told of its budgets: a public https address; null: nowhere.');
const ofAccount = { plan: name.optional(), budgets: budgets.optional(), webhook: webhook.optional() };
export const newAccount = namedObject('CreateAccount', { name, ...ofAccount });
export const accountChange = namedObject('ChangeAccount', { name: name.optional(), ...ofAccount });

const limits = perMeasure(measureNames, () => orNothing(eachOf(windows, orNothing(wholeLimit))))
  .transform((given): Limits => withoutNothing(given))
  .describe('Most that each key may use of each model, per window.');

/** `amounts` without the measures and times that are null or missing. */
function withoutNothing<Measure extends string>(
  amounts: Readonly<Record<Measure, Readonly<Record<string, number | null | undefined>> | null | undefined>>,
) {
  const isGiven = ([, value]: [string, unknown]) => value !== null && value !== undefined;
  const entries = Object.entries<(typeof amounts)[Measure]>(amounts).map(
    ([measure, times]) => [measure, Object.fromEntries(Object.entries(times ?? {}).filter(isGiven))] as const,
  );
  return Object.fromEntries(entries.filter(([, times]) => Object.keys(times).length > 0)) as Partial<
    Record<Measure, Record<string, number>>
  >;
}

const accountLimits = perMeasure(budgetMeasureNames, (measure) => orNothing(perPeriod(measure)))
  .transform((given): BudgetLimits => withoutNothing(given))
  .describe('Budgets of each account over all its keys.');

/** A whole plan, with the names that `GET /admin/v1/plans` has. */
export const newPlan = namedObject('MakePlan', {
  name,
  days: z.int().min(1).max(mostTrialDays).optional().describe('Of the plan `trial` only.'),
  limits,
  account: accountLimits.optional(),
  batch: z.strictObject({ factor: z.number().min(0).max(1) }).optional(),
  models: mapOf(z.strictObject({ limits }))
    .optional()
    .describe('By model: limits that replace the others for it.'),
});
const lifetime = duration.refine((ms) => ms > 0, { error: 'must be longer than nothing' });
const models = list(name, { min: 1, max: maxAllowedModels });
const scopes = list(z.enum(userScopes), { min: 1, max: userScopes.length }).describe(
  'What the key may be used for. Models, limits and usage are open to all keys.',
);
const parallel = z.int().min(1).max(1000).describe('Most requests at once.');
export const newKey = namedObject('CreateApiKey', {
  account: name.describe('A name or an id.'),
  name: z.string().optional(),
  kind: z.enum(['user', 'admin']).optional(),
  expires_in: lifetime.optional(),
  expires: lifetime.optional().describe('The same as `expires_in`, as the command line calls it.'),
  limit: wholeLimit
    .optional()
    .describe('A budget of tokens, in and out, of all models together, which is never filled again.'),
  models: models.optional(),
  scopes: scopes.optional(),
  parallel: parallel.optional(),
  budgets: budgets.optional(),
});
export const newInvitation = namedObject('CreateInvitation', {
  name: z.string().optional().describe('What it is for.'),
  plan: name.optional().describe('Of the accounts that claims make; `trial` unless it is named.'),
  seats: z
    .int()
    .min(1)
    .max(mostSeats)
    .optional()
    .describe('How many people may claim it; 1 unless it is named.'),
  expires_in: lifetime.optional().describe('Until when it can be claimed; a week unless it is named.'),
  key_expires_in: lifetime.optional().describe('How long the keys work; for ever unless it is named.'),
  models: models.optional(),
  scopes: scopes.optional(),
  parallel: parallel.optional(),
  budgets: budgets.optional(),
});
export const closing = z.strictObject({
  revoke_keys: z
    .enum(['true', 'false'])
    .optional()
    .describe('`true`: the keys that claims made are revoked as well.'),
});
export const keyChange = namedObject('ChangeApiKey', {
  name: z.string().optional(),
  expires_in: lifetime.nullable().optional().describe('From now on; null: it never expires.'),
  expires: lifetime.nullable().optional(),
  models: models.nullable().optional().describe('null: all.'),
  scopes: scopes.nullable().optional().describe('null: everything.'),
  parallel: parallel.nullable().optional().describe('null: any number.'),
  limit: wholeLimit.nullable().optional().describe('null: no budget of tokens for ever.'),
  budgets: budgets.optional(),
});
export const rotation = namedObject('RotateApiKey', { overlap: duration.optional() });
export const pull = namedObject('PullModel', {
  model: z
    .string()
    .min(1)
    .max(maxSourceChars)
    .describe('`hf:Owner/Repository:QUANT`, an https URL, or the name of a configured or a known model.'),
  sha256: z
    .string()
    .regex(/^[0-9a-fA-F]{64}$/, { error: 'must be 64 hexadecimal digits' })
    .optional()
    .describe('What the file, of several the first, must hash to.'),
  id: z
    .string()
    .regex(modelIdPattern, { error: modelIdRule })
    .optional()
    .meta({
      description:
        'The id to serve it under. Without it the name of the file is the id; where another model has that already, ' +
        'the pull fails before anything is downloaded.',
    }),
});
export const noticesQuery = z.strictObject({
  since: bound.optional(),
  limit: pageOf(1000).limit.describe('100 unless it is named.'),
});
export const auditQuery = noticesQuery.extend({
  before: countIn('must be the id of an act').optional().describe('The id of an act: older ones only.'),
});
export const batchesQuery = z.strictObject(pageOf(100));
export const keysQuery = z.strictObject({ account: name.optional() });
export const usageQuery = z.strictObject({
  by: z.enum(usageGroupings).optional(),
  step: z
    .enum(usageSteps)
    .optional()
    .describe('Sums are for each hour or UTC day; at most 3000 of them fit into the time asked for.'),
  since: bound.optional(),
  until: bound
    .refine((untilMs) => Number.isFinite(untilMs(0)), { error: 'must be a time; leave it out for no bound' })
    .optional(),
  account: name.optional(),
  key: name.optional(),
  model: name.optional(),
});

/** Of the key that asks. */
export const ownUsageQuery = z.object(usageQuery.omit({ account: true, key: true }).shape);

export const nothing = namedObject('Nothing', {});
