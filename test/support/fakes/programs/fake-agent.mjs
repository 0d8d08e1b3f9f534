#!/usr/bin/env node
// Stands for a coding agent: asks the server that its environment names, tells the answer, and ends as it is told to.
import { readFileSync, writeFileSync } from 'node:fs';
import { basename } from 'node:path';

const { env } = process;
const name = basename(process.argv[1] ?? '');
const args = process.argv.slice(2);
const opencode = JSON.parse(env.OPENCODE_CONFIG_CONTENT ?? '{}').provider?.hearth;
const valueOf = (setting) => {
  const given = args.find((argument) => argument.startsWith(`${setting}=`));
  return given && JSON.parse(given.slice(setting.length + 1));
};
/** Runs the extension that pi is started with, as pi does. */
async function ofPi() {
  if (name !== 'pi') return undefined;
  const { default: extend } = await import(args[args.indexOf('-e') + 1]);
  const made = {};
  extend({ registerProvider: (_name, provider) => Object.assign(made, provider) });
  return { baseUrl: made.baseUrl, secret: made.apiKey, model: made.models[0].id };
}

const settingsIn = (path) => JSON.parse(readFileSync(path, 'utf8'));
function ofDroid() {
  if (name !== 'droid') return undefined;
  const { customModels, sessionDefaultSettings } = settingsIn(env.FACTORY_RUNTIME_SETTINGS_PATH);
  const own = customModels.find(({ id }) => id === sessionDefaultSettings.model);
  const apiKey = own.apiKey.replace(/^\$\{(\w+)\}$/, (_match, variable) => env[variable]);
  return { baseUrl: own.baseUrl, secret: apiKey, model: own.model };
}
function ofCline() {
  if (name !== 'cline') return undefined;
  const { settings } = settingsIn(env.CLINE_PROVIDER_SETTINGS_PATH).providers[args[args.indexOf('-P') + 1]];
  return { baseUrl: settings.baseUrl, secret: settings.apiKey, model: args[args.indexOf('-m') + 1] };
}

const { baseUrl, secret, model } = {
  claude: {
    baseUrl: `${env.ANTHROPIC_BASE_URL}/v1`,
    secret: env.ANTHROPIC_AUTH_TOKEN,
    model: env.ANTHROPIC_MODEL,
  },
  codex: {
    baseUrl: valueOf('model_providers.hearth.base_url'),
    secret: env.HEARTH_API_KEY,
    model: valueOf('model'),
  },
  opencode: {
    baseUrl: opencode?.options.baseURL,
    secret: env.HEARTH_API_KEY,
    model: Object.keys(opencode?.models ?? {})[0],
  },
  copilot: {
    baseUrl: env.COPILOT_PROVIDER_BASE_URL,
    secret: env.COPILOT_PROVIDER_API_KEY,
    model: env.COPILOT_MODEL,
  },
  pi: await ofPi(),
  kimi: {
    baseUrl: env.KIMI_MODEL_BASE_URL,
    secret: env.KIMI_MODEL_API_KEY,
    model: env.KIMI_MODEL_NAME,
  },
  droid: ofDroid(),
  cline: ofCline(),
  qwen: { baseUrl: env.OPENAI_BASE_URL, secret: env.OPENAI_API_KEY, model: env.OPENAI_MODEL },
}[name];
const ask = () =>
  fetch(`${baseUrl}/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model, messages: [{ role: 'user', content: 'Hello' }], max_tokens: 4 }),
  });
let response = await ask();
const { status } = response;
if (args.includes('twice')) response = await ask();
const last = { status: response.status, ...(await response.json()) };
const seen = { baseUrl, secret, model, args, env, cwd: process.cwd(), status, last };
writeFileSync(env.SEEN_FILE, JSON.stringify(seen));
if (args.includes('wait')) setTimeout(() => process.exit(3), 60_000);
else process.exit(args.includes('fail') ? 7 : 0);
