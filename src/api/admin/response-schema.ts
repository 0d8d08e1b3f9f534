import { z } from 'zod';
import { budgetMeasureNames } from '../../accounts/budgets/budget.ts';
import { budgetPeriods } from '../../accounts/budgets/calendar.ts';
import { measureNames, windows } from '../../accounts/plans.ts';
import { usageGroupings, usageSteps } from '../../limits/reports/usage.ts';
import { batch } from '../batches/operation.ts';
import { listOf as pagedList } from '../parameters/list-page.ts';
import { components, named, namedObject, namedUnion } from '../openapi/json-schema.ts';
import { mapOf } from '../parameters/schema-parts.ts';
import { eachOf } from '../../config/values/each-of.ts';
import { budget, count, listOf, time } from '../openapi/shared-schemas.ts';
import { modelMemory, modelStatus } from './models/operation.ts';

export const account = namedObject('Account', {
  id: z.string().startsWith('acct_'),
  object: z.literal('account'),
  name: z.string().min(1),
  plan: z.string().min(1),
  plan_in_force: z.string().min(1).describe('Another one than `plan` when a trial has ended.'),
  created_at: time,
  trial_ends_at: time.nullable(),
  webhook: z.string().nullable().describe('Where it is told of its budgets; null: nowhere.'),
  budgets: z.array(budget).describe('Of all its keys and models together.'),
});

/** The answer to a request that sets a webhook has the secret that signs its notices. */
export const setAccount = account
  .extend({ webhook_secret: z.string().startsWith('whsec_').optional() })
  .register(components, { id: 'SetAccount' });

export const removedAccount = namedObject('RemovedAccount', {
  id: z.string().startsWith('acct_'),
  object: z.literal('account'),
  name: z.string().min(1),
  deleted: z.literal(true),
  revoked_keys: count,
  deleted_responses: count,
});

/** For operators, batches of both dialects. */
export const accountBatch = batch
  .extend({
    id: z.string().min(1).describe("One in Anthropic's dialect begins with `msgbatch_`."),
    account_id: z.string().min(1),
    account_name: z.string().min(1),
    key_id: z.string().min(1).describe('Of the key that pays.'),
    input_file_name: z.string().nullable().describe('Null: the file is deleted.'),
    failures: mapOf(z.int().min(1)).describe(
      "How many lines failed, by the `code` of their errors, or its `type` in Anthropic's dialect.",
    ),
    missing_models: z.array(z.string()).describe('Models that lines asked and that are not there.'),
  })
  .register(components, { id: 'AccountBatch' });
export const accountBatchList = named('AccountBatchList', pagedList(accountBatch));

export const accountList = namedObject('AccountList', listOf(account));

export const apiKey = namedObject('ApiKey', {
  id: z.string().startsWith('key_'),
  object: z.literal('api_key'),
  account_id: z.string().min(1),
  account_name: z.string().min(1),
  name: z.string(),
  kind: z.enum(['user', 'admin']),
  redacted_value: z.string().min(1),
  state: z.enum(['active', 'expired', 'revoked']),
  models: z.array(z.string()).min(1).nullable().describe('null: all.'),
  scopes: z.array(z.string()).min(1).nullable().describe('What it may be used for; null: everything.'),
  parallel: z.int().min(1).nullable().describe('Most requests at once; null: any number.'),
  tokens_left: z
    .int()
    .nullable()
    .describe('Of its budget; below 0 where more was used. null: it has no budget.'),
  budgets: z.array(budget).describe('Of all models together.'),
  created_at: time,
  last_used_at: time.nullable(),
  expires_at: time.nullable(),
  revoked_at: time.nullable(),
});

export const createdApiKey = apiKey
  .extend({ value: z.string().startsWith('hk-').describe('The secret, shown this once.') })
  .register(components, { id: 'CreatedApiKey' });

export const apiKeyList = namedObject('ApiKeyList', listOf(apiKey));

const auditEntry = namedObject('AuditEntry', {
  id: z.int().min(1),
  object: z.literal('audit_entry'),
  at: z.int().describe('Unix seconds.'),
  actor: z
    .string()
    .describe('The id of a key or an invitation, `command line`, `server`, or the issuer of a sign-in.'),
  origin: z.string().describe('An address, or the user of the machine.'),
  act: z.string().describe('Such as `key.create`.'),
  subject: z.string().describe('What it was done to.'),
  before: z
    .unknown()
    .describe('What it changed, as it was, with the names of the subject; null: nothing was there.'),
  after: z.unknown(),
});
export const auditList = namedObject('AuditList', { ...listOf(auditEntry), has_more: z.boolean() });

const notice = namedObject('Notice', {
  id: z.string().startsWith('ntc_'),
  object: z.literal('notice'),
  type: z.string().describe('Such as `budget.exhausted`.'),
  at: time,
  account_id: z.string().nullable().describe('Whom it concerns beside the operator.'),
  message: z.string(),
  data: z.record(z.string(), z.unknown()),
  stands: z
    .boolean()
    .describe(
      'Whether the account that it is about is still there, and its key, or one that replaced it, works.',
    ),
});
export const noticeList = namedObject('NoticeList', listOf(notice));

const perPeriod = eachOf(budgetPeriods, z.number().optional()).nullable();

export const budgets = eachOf(Object.values(budgetMeasureNames), perPeriod);

export const invitation = namedObject('Invitation', {
  id: z.string().startsWith('inv_'),
  object: z.literal('invitation'),
  name: z.string(),
  state: z.enum(['open', 'full', 'expired', 'closed']),
  plan: z.string().min(1),
  seats: z.int().min(1),
  models: z.array(z.string()).min(1).nullable().describe('Of the keys that claims make; null: all.'),
  scopes: z.array(z.string()).min(1).nullable(),
  parallel: z.int().min(1).nullable(),
  budgets: budgets.describe('Of each of the keys.'),
  key_expires_after_seconds: z.number().nullable(),
  created_at: time,
  expires_at: time,
  closed_at: time.nullable(),
  claims: z
    .array(
      z.strictObject({
        account_id: z.string(),
        account_name: z.string(),
        key_id: z.string(),
        claimed_at: time,
      }),
    )
    .describe('Who has claimed it.'),
});
export const createdInvitation = invitation
  .extend({
    code: z.string().min(32).describe('Shown this once.'),
    path: z.string().describe('Where people claim it, below the address of the server.'),
  })
  .register(components, { id: 'CreatedInvitation' });
export const closedInvitation = invitation
  .extend({ revoked_keys: count })
  .register(components, { id: 'ClosedInvitation' });
export const invitationList = namedObject('InvitationList', listOf(invitation));

const perWindow = eachOf(windows, z.number().min(0).optional()).nullable();

const limits = eachOf(Object.values(measureNames), perWindow)
  .describe('Most that may be used per window; null: no limit.')
  .register(components, { id: 'Limits' });

export const plan = namedObject('Plan', {
  object: z.literal('plan'),
  name: z.string().min(1),
  source: z
    .enum(['built_in', 'file', 'made'])
    .describe('`file`: it stands in hearth.yaml, and is changed there. `made`: by this API.'),
  days: z.number().min(0).nullable().describe("From an account's creation on; null: no end."),
  limits,
  account: budgets.describe('Budgets of each account over all its keys.'),
  batch: z
    .strictObject({ factor: z.number() })
    .nullable()
    .describe('The share of the tokens of batches that is charged; null: all.'),
  models: z
    .record(z.string(), z.strictObject({ limits }))
    .describe('Limits that replace the others for the model that they are named by.'),
});

export const planList = namedObject('PlanList', listOf(plan));

const usage = namedObject('Usage', {
  object: z.literal('usage'),
  start: time.nullable().describe('When the period begins; null without `step`.'),
  group: z.string().min(1).describe('The id of an account, key or model, or a UTC day.'),
  label: z.string().describe('The same for people.'),
  requests: count,
  refunded_requests: count,
  failed_requests: count.describe(
    'Of `requests`, those that failed by no fault of the client: 5xx, also within a stream.',
  ),
  refused_requests: count.describe('Refused by limits; they are not among `requests`.'),
  prompt_tokens: count,
  cached_tokens: count,
  completion_tokens: count,
  audio_seconds: z.number().min(0),
  units: z
    .number()
    .min(0)
    .optional()
    .describe("Of the operator's, by the prices of its day; missing where nothing had a price."),
});

export const usageList = namedObject('UsageList', {
  ...listOf(usage),
  by: z.enum(usageGroupings),
  step: z.enum(usageSteps).nullable(),
  since: z.int().nullable().describe('Unix seconds; null: all that is kept.'),
  until: z.int().nullable().describe('Unix seconds; null: now.'),
});

const batchOfLine = z.string().min(1).nullable().describe('Of which it is a line; null: of none.');

const endedRequest = z.strictObject({
  ended_at: time,
  route: z.string().nullable().describe('As documented; null: there is no such route.'),
  request_id: z.string().min(1).describe('As in the log.'),
  status: z.int().min(100).max(599),
  duration_ms: count,
  model: z.string().nullable().describe('Which it named; null: none that is there.'),
  key_id: z.string().nullable(),
  error_code: z.string().nullable(),
  client_left: z.boolean().describe('Before it had the whole answer.'),
  stopped: z
    .boolean()
    .describe('By its client or by an operator, before its answer was complete: what was computed counts.'),
  prompt_tokens: count.nullable(),
  completion_tokens: count.nullable(),
  audio_seconds: z
    .number()
    .min(0)
    .nullable()
    .describe('That were heard or spoken; null: it is about no audio.'),
  time_to_first_token_ms: z.number().min(0).nullable(),
  batch_id: batchOfLine,
});

export const liveRequest = namedObject('LiveRequest', {
  id: z.string().min(1).describe('The `x-request-id` of its answer.'),
  route: z.string().min(1),
  model: z.string().min(1),
  key_id: z.string().min(1),
  batch_id: batchOfLine,
  age_ms: count.describe('Since it arrived.'),
  state: z.enum(['waiting', 'computing']),
  output_tokens: count.describe('Of its answer so far.'),
  tokens_per_second: z.number().min(0).describe('Since the first ones.'),
});

export const serverEvent = namedUnion('ServerEvent', [
  z.strictObject({
    object: z.literal('server_event'),
    type: z.literal('models'),
    data: z.array(modelStatus),
    memory: modelMemory,
    server: z.strictObject({ version: z.string().min(1), started_at: time }),
  }),
  z.strictObject({
    object: z.literal('server_event'),
    type: z.literal('requests'),
    data: z.array(endedRequest),
  }),
  z.strictObject({
    object: z.literal('server_event'),
    type: z.literal('running').describe('Every second while there are any, and once when there are none.'),
    data: z.array(liveRequest),
  }),
  z.strictObject({
    object: z.literal('server_event'),
    type: z
      .literal('notices')
      .describe(
        'Those of the last week, the newest first, when there is another one or one stands no longer.',
      ),
    data: z.array(notice),
  }),
]);
