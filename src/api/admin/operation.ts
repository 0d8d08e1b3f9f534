import { eventsOf, json, operationsOf } from '../openapi/operation.ts';
import {
  account,
  accountBatch,
  accountBatchList,
  accountList,
  apiKey,
  apiKeyList,
  auditList,
  closedInvitation,
  createdApiKey,
  createdInvitation,
  invitation,
  invitationList,
  liveRequest,
  noticeList,
  serverEvent,
  plan,
  setAccount,
  planList,
  removedAccount,
  usageList,
} from './response-schema.ts';
import { limitList } from '../limits/route.ts';
import * as requests from './schema.ts';

const ofAccount = { pathParameters: { account: 'A name or an id.' }, errors: ['not_found'] } as const;
const ofInvitation = { pathParameters: { id: 'An id, not the code.' }, errors: ['not_found'] } as const;
const ofKey = { pathParameters: { id: 'An id, not the secret.' }, errors: ['not_found'] } as const;

export const adminOperations = operationsOf(['Administration', 'admin'], {
  listAccounts: {
    route: 'GET /admin/v1/accounts',
    summary: 'List the accounts',
    answer: json(accountList, 'By name.'),
  },
  createAccount: {
    route: 'POST /admin/v1/accounts',
    summary: 'Make an account',
    description: 'It is on the plan `trial` unless another one is named.',
    body: { schema: requests.newAccount, example: { name: 'alice' } },
    responses: { 201: json(setAccount, 'The account.') },
  },
  getAccount: {
    route: 'GET /admin/v1/accounts/{account}',
    summary: 'Look an account up',
    ...ofAccount,
    answer: json(account, 'The account.'),
  },
  changeAccount: {
    route: 'PATCH /admin/v1/accounts/{account}',
    summary: "Set an account's name, plan and budgets",
    description:
      'From the next request on. What is not named stays; what was used stays used. The account of the owner of the machine, `local`, keeps its name.',
    ...ofAccount,
    body: { schema: requests.accountChange, example: { budgets: { tokens: { day: 50_000 } } } },
    answer: json(setAccount, 'The account.'),
  },
  removeAccount: {
    route: 'DELETE /admin/v1/accounts/{account}',
    summary: 'Remove an account',
    description:
      'Its keys open nothing from the next request on, its stored responses are deleted, and its name is free ' +
      'again. What it used stays in the usage, under its id. Not the account of the key that asks.',
    ...ofAccount,
    answer: json(removedAccount, 'What was removed.'),
    errors: ['not_found', 'invalid_value'],
  },
  listApiKeys: {
    route: 'GET /admin/v1/keys',
    summary: 'List the API keys',
    query: requests.keysQuery,
    answer: json(apiKeyList, 'By account, oldest first; never with their secrets.'),
    errors: ['not_found'],
  },
  createApiKey: {
    route: 'POST /admin/v1/keys',
    summary: 'Make an API key',
    body: {
      schema: requests.newKey,
      example: { account: 'alice', name: 'laptop', expires_in: '90d' },
    },
    responses: { 201: json(createdApiKey, 'The key, with its secret.') },
    errors: ['not_found'],
  },
  getApiKey: {
    route: 'GET /admin/v1/keys/{id}',
    summary: 'Look an API key up',
    description: 'The id `self` is that of the key of the request.',
    ...ofKey,
    answer: json(apiKey, 'The key.'),
  },
  changeApiKey: {
    route: 'PATCH /admin/v1/keys/{id}',
    summary: 'Change an API key',
    description: 'From the next request on. What is not named stays; what was used stays used.',
    ...ofKey,
    body: {
      schema: requests.keyChange,
      example: { models: null, budgets: { tokens: { day: 50_000 } } },
    },
    answer: json(apiKey, 'The key.'),
  },
  revokeApiKey: {
    route: 'DELETE /admin/v1/keys/{id}',
    summary: 'Revoke an API key',
    description: 'From the next request on. It stays in the lists, as `revoked`.',
    ...ofKey,
    answer: json(apiKey, 'The key.'),
  },
  getKeyLimits: {
    route: 'GET /admin/v1/keys/{id}/limits',
    summary: 'What an API key may still use of each model',
    ...ofKey,
    answer: json(limitList, 'All limits of the key.'),
  },
  rotateApiKey: {
    route: 'POST /admin/v1/keys/{id}/rotate',
    summary: 'Replace an API key by a new one',
    description: 'Both work for as long as `overlap` says, and use up the same balances.',
    ...ofKey,
    body: { schema: requests.rotation, optional: true, example: { overlap: '1h' } },
    responses: { 201: json(createdApiKey, 'The new key, with its secret.') },
  },
  listInvitations: {
    route: 'GET /admin/v1/invitations',
    summary: 'List the invitations',
    answer: json(invitationList, 'The newest first, with those who claimed them.'),
  },
  createInvitation: {
    route: 'POST /admin/v1/invitations',
    summary: 'Invite people, who make their account and key themselves',
    body: { schema: requests.newInvitation, example: { name: 'class 7b', plan: 'trial', seats: 30 } },
    responses: { 201: json(createdInvitation, 'The invitation, with its code.') },
  },
  getInvitation: {
    route: 'GET /admin/v1/invitations/{id}',
    summary: 'Look an invitation up',
    ...ofInvitation,
    answer: json(invitation, 'The invitation.'),
  },
  closeInvitation: {
    route: 'DELETE /admin/v1/invitations/{id}',
    summary: 'Close an invitation',
    description: 'Nobody can claim it any more. It stays in the lists.',
    ...ofInvitation,
    query: requests.closing,
    answer: json(closedInvitation, 'The invitation.'),
  },
  renewInvitationCode: {
    route: 'POST /admin/v1/invitations/{id}/code',
    summary: 'Give an invitation a new code',
    description: 'Its old link works no more. Only an invitation that is `open` has one.',
    ...ofInvitation,
    responses: { 201: json(createdInvitation, 'The invitation, with its new code.') },
    errors: ['not_found', 'invalid_value'],
  },
  listAudit: {
    route: 'GET /admin/v1/audit',
    summary: 'What was done with admin keys and by the command line',
    description: 'Accounts, keys and invitations with what was changed of them; never a secret.',
    query: requests.auditQuery,
    answer: json(auditList, 'The newest first.'),
  },
  listNotices: {
    route: 'GET /admin/v1/notices',
    summary: 'What the operator should know',
    description: 'Budgets that are used up, a full disk, models that fail, a certificate that ends.',
    query: requests.noticesQuery,
    answer: json(noticeList, 'The newest first.'),
  },
  watchEvents: {
    route: 'GET /admin/v1/events',
    summary: 'Watch what the server does',
    description:
      'The models when they change, requests every second while they run, and again when they have ended; never what is in them. Without an end.',
    answer: eventsOf(serverEvent, 'First how it is now.'),
  },
  cancelRequest: {
    route: 'POST /admin/v1/requests/{id}/cancel',
    summary: 'Stop a request that runs or waits',
    description:
      'Its client gets the error `request_cancelled`, in a stream as its last event. Charged as far as it came, as if its client had left. A line of a batch is not tried again.',
    pathParameters: { id: 'The `x-request-id` of its answer.' },
    answer: json(liveRequest, 'How far it had come.'),
    errors: ['not_found'],
  },
  listAccountBatches: {
    route: 'GET /admin/v1/batches',
    summary: 'List the batches of all accounts',
    description: 'Newest first; how far they are, not what is in them.',
    query: requests.batchesQuery,
    answer: json(accountBatchList, 'One page.'),
  },
  cancelAccountBatch: {
    route: 'POST /admin/v1/batches/{id}/cancel',
    summary: 'Cancel a batch of any account',
    description: 'What has been computed by then is kept; the other lines are in the error file.',
    pathParameters: { id: 'Of a batch.' },
    answer: json(accountBatch, 'The batch.'),
    errors: ['not_found', 'invalid_value'],
  },
  listPlans: {
    route: 'GET /admin/v1/plans',
    summary: 'List the plans',
    answer: json(planList, 'Built in, of the configuration file, and made by this API.'),
  },
  makePlan: {
    route: 'POST /admin/v1/plans',
    summary: 'Make a plan, or replace one',
    description:
      'From the next request on; balances keep their level. Not one of the configuration file: that is changed there.',
    body: {
      schema: requests.newPlan,
      example: { name: 'team', limits: { requests: { minute: 60 } }, account: { tokens: { day: 50_000 } } },
    },
    answer: json(plan, 'The plan.'),
  },
  removePlan: {
    route: 'DELETE /admin/v1/plans/{name}',
    summary: 'Take a plan away that was made by this API',
    description: 'A built-in plan of its name holds again. Not one that accounts or open invitations are on.',
    pathParameters: { name: 'Its name.' },
    answer: json(planList, 'The plans that are left.'),
    errors: ['invalid_value'],
  },
  getUsage: {
    route: 'GET /admin/v1/usage',
    summary: 'Sum up what was used',
    description: 'Of what ended from `since` on, by default in the last 7 days, and before `until`.',
    query: requests.usageQuery,
    answer: json(usageList, 'One sum for each group that used anything, in the order of the groups.'),
    errors: ['not_found'],
  },
});
