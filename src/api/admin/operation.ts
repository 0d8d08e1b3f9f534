import type { Operation } from '../openapi/operation.ts';
import { json, type AdminOperation } from './descriptions.ts';
import { adminVoiceOperations } from '../voices/operation.ts';
import { modelOperations } from './models/operation.ts';
import {
  account,
  accountList,
  apiKey,
  apiKeyList,
  createdApiKey,
  serverEvent,
  planList,
  removedAccount,
  usageList,
} from './response-schema.ts';
import { limitList } from '../limits/response-schema.ts';
import { adminRequests } from './schema.ts';

const ofAccount = { pathParameters: { account: 'A name or an id.' }, errors: ['not_found'] } as const;
const ofKey = { pathParameters: { id: 'An id, not the secret.' }, errors: ['not_found'] } as const;

const operations: readonly AdminOperation[] = [
  {
    route: 'GET /accounts',
    id: 'listAccounts',
    summary: 'List the accounts',
    responses: { 200: json(accountList, 'By name.') },
    errors: ['invalid_value', 'unknown_parameter'],
  },
  {
    route: 'POST /accounts',
    id: 'createAccount',
    summary: 'Make an account',
    description: 'It is on the plan `trial` unless another one is named.',
    body: { schema: adminRequests.newAccount, example: { name: 'alice' } },
    responses: { 201: json(account, 'The account.') },
  },
  {
    route: 'GET /accounts/{account}',
    id: 'getAccount',
    summary: 'Look an account up',
    ...ofAccount,
    responses: { 200: json(account, 'The account.') },
  },
  {
    route: 'PATCH /accounts/{account}',
    id: 'changeAccount',
    summary: "Set an account's plan and budgets",
    description: 'From the next request on. What is not named stays; what was used stays used.',
    ...ofAccount,
    body: { schema: adminRequests.accountChange, example: { budgets: { tokens: { day: 50_000 } } } },
    responses: { 200: json(account, 'The account.') },
  },
  {
    route: 'DELETE /accounts/{account}',
    id: 'removeAccount',
    summary: 'Remove an account',
    description:
      'Its keys open nothing from the next request on, its stored responses are deleted, and its name is free ' +
      'again. What it used stays in the usage, under its id. Not the account of the key that asks.',
    ...ofAccount,
    responses: { 200: json(removedAccount, 'What was removed.') },
    errors: ['not_found', 'invalid_value'],
  },
  {
    route: 'GET /keys',
    id: 'listApiKeys',
    summary: 'List the API keys',
    query: adminRequests.keysQuery,
    responses: { 200: json(apiKeyList, 'By account, oldest first; never with their secrets.') },
    errors: ['not_found'],
  },
  {
    route: 'POST /keys',
    id: 'createApiKey',
    summary: 'Make an API key',
    body: { schema: adminRequests.newKey, example: { account: 'alice', name: 'laptop', expires_in: '90d' } },
    responses: { 201: json(createdApiKey, 'The key, with its secret.') },
    errors: ['not_found'],
  },
  {
    route: 'GET /keys/{id}',
    id: 'getApiKey',
    summary: 'Look an API key up',
    ...ofKey,
    responses: { 200: json(apiKey, 'The key.') },
  },
  {
    route: 'PATCH /keys/{id}',
    id: 'changeApiKey',
    summary: 'Change an API key',
    description: 'From the next request on. What is not named stays; what was used stays used.',
    ...ofKey,
    body: {
      schema: adminRequests.keyChange,
      example: { models: null, budgets: { tokens: { day: 50_000 } } },
    },
    responses: { 200: json(apiKey, 'The key.') },
  },
  {
    route: 'DELETE /keys/{id}',
    id: 'revokeApiKey',
    summary: 'Revoke an API key',
    description: 'From the next request on. It stays in the lists, as `revoked`.',
    ...ofKey,
    responses: { 200: json(apiKey, 'The key.') },
  },
  {
    route: 'GET /keys/{id}/limits',
    id: 'getKeyLimits',
    summary: 'What an API key may still use of each model',
    ...ofKey,
    responses: { 200: json(limitList, 'All limits of the key.') },
  },
  {
    route: 'POST /keys/{id}/rotate',
    id: 'rotateApiKey',
    summary: 'Replace an API key by a new one',
    description: 'Both work for as long as `overlap` says, and use up the same balances.',
    ...ofKey,
    body: { schema: adminRequests.rotation, optional: true, example: { overlap: '1h' } },
    responses: { 201: json(createdApiKey, 'The new key, with its secret.') },
  },
  ...modelOperations,
  ...adminVoiceOperations,
  {
    route: 'GET /events',
    id: 'watchEvents',
    summary: 'Watch what the server does',
    description:
      'The models when they change, requests every second while they run, and again when they have ended; never what is in them. Without an end.',
    responses: {
      200: { description: 'First how it is now.', content: { 'text/event-stream': serverEvent } },
    },
    errors: ['invalid_value', 'unknown_parameter'],
  },
  {
    route: 'GET /plans',
    id: 'listPlans',
    summary: 'List the plans',
    description: 'They are set in the configuration file.',
    responses: { 200: json(planList, 'As configured.') },
    errors: ['invalid_value', 'unknown_parameter'],
  },
  {
    route: 'GET /usage',
    id: 'getUsage',
    summary: 'Sum up what was used',
    description: 'Of what ended from `since` on, by default in the last 7 days, and before `until`.',
    query: adminRequests.usageQuery,
    responses: {
      200: json(usageList, 'One sum for each group that used anything, in the order of the groups.'),
    },
    errors: ['not_found'],
  },
];

export const adminOperations = operations.map(({ route, ...operation }): Operation => {
  const [method, path] = route.split(' ') as [Operation['method'], string];
  return { ...operation, method, path: `/admin/v1${path}`, tag: 'Administration', access: 'admin' };
});
