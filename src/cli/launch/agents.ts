import { programBeside } from '../../engine/processes/watch-child.ts';
import { piModelVariable } from './pi-extension.ts';

/** The server and the model that an agent is set up for. */
export interface AgentTarget {
  /** Such as `http://127.0.0.1:8080/v1`. */
  readonly baseUrl: string;
  readonly secret: string;
  readonly modelId: string;
  readonly contextTokens: number;
}

/** An agent that `hearth launch` starts. */
export interface Agent {
  /** Its command, as its package installs it. */
  readonly command: string;
  readonly npmPackage: string;
  /** Tokens of its first prompt with the tokenizer of Qwen 2.5, before anything is asked: measured, and rounded up. */
  readonly firstPromptTokens: number;
  /** Variables that would send it elsewhere; they are taken out of its environment. */
  readonly unset: readonly string[];
  /** The settings that make it ask this server: nothing is written into the user's own configuration. */
  prepare(target: AgentTarget): {
    readonly env: Readonly<Record<string, string>>;
    readonly args: readonly string[];
    /** Settings that it takes from a file alone: its content, and the variable with its path. */
    readonly file?: { readonly variable: string; readonly content: object };
  };
}

/** An hour: the first prompt takes minutes on a processor. */
const answerTimeoutMs = 3_600_000;
/** The most tokens of one answer, where the context has room for more. */
const maxAnswerTokens = 8192;

const answerTokens = (contextTokens: number) => Math.min(maxAnswerTokens, Math.floor(contextTokens / 4));

export const agents = {
  claude: {
    command: 'claude',
    npmPackage: '@anthropic-ai/claude-code',
    firstPromptTokens: 19_000,
    unset: [
      'ANTHROPIC_API_KEY',
      'CLAUDE_CODE_USE_BEDROCK',
      'CLAUDE_CODE_USE_VERTEX',
      'CLAUDE_CODE_USE_FOUNDRY',
      'CLAUDE_CODE_USE_GATEWAY',
      'CLAUDE_CODE_USE_MANTLE',
      'CLAUDE_CODE_USE_ANTHROPIC_AWS',
      'CLAUDE_CODE_USE_ANTHROPIC_GOOGLE_CLOUD',
      'CLAUDE_CODE_WORKFLOW_SUBAGENT_MODEL',
    ],
    prepare: ({ baseUrl, secret, modelId, contextTokens }) => ({
      env: {
        ANTHROPIC_BASE_URL: new URL('/', baseUrl).href.replace(/\/$/, ''),
        ANTHROPIC_AUTH_TOKEN: secret,
        ANTHROPIC_MODEL: modelId,
        ANTHROPIC_SMALL_FAST_MODEL: modelId,
        ANTHROPIC_DEFAULT_HAIKU_MODEL: modelId,
        ANTHROPIC_DEFAULT_SONNET_MODEL: modelId,
        ANTHROPIC_DEFAULT_OPUS_MODEL: modelId,
        ANTHROPIC_DEFAULT_FABLE_MODEL: modelId,
        API_TIMEOUT_MS: String(answerTimeoutMs),
        // Without these it takes a name that it does not know for a model with a million tokens, and never summarises.
        CLAUDE_CODE_AUTO_COMPACT_WINDOW: String(contextTokens),
        CLAUDE_CODE_MAX_CONTEXT_TOKENS: String(contextTokens),
        CLAUDE_CODE_SUBAGENT_MODEL: modelId,
        // Both would change the prompt with each request, so that nothing behind them is found in the cache.
        CLAUDE_CODE_ATTRIBUTION_HEADER: '0',
        CLAUDE_CODE_TOTAL_TOKENS_REMINDER: 'off',
        CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
        CLAUDE_CODE_MAX_OUTPUT_TOKENS: String(answerTokens(contextTokens)),
      },
      args: [],
    }),
  },
  codex: {
    command: 'codex',
    npmPackage: '@openai/codex',
    firstPromptTokens: 9000,
    unset: [],
    prepare: ({ baseUrl, secret, modelId, contextTokens }) => {
      const provider = {
        name: 'hearth',
        base_url: baseUrl,
        env_key: 'HEARTH_API_KEY',
        wire_api: 'responses',
        stream_idle_timeout_ms: answerTimeoutMs,
      };
      const settings = {
        model: modelId,
        model_provider: 'hearth',
        model_context_window: contextTokens,
        ...Object.fromEntries(
          Object.entries(provider).map(([name, value]) => [`model_providers.hearth.${name}`, value]),
        ),
      };
      return {
        env: { HEARTH_API_KEY: secret },
        // Strings of JSON are strings of TOML.
        args: Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${JSON.stringify(value)}`]),
      };
    },
  },
  opencode: {
    command: 'opencode',
    npmPackage: 'opencode-ai',
    firstPromptTokens: 8000,
    unset: [],
    prepare: ({ baseUrl, secret, modelId, contextTokens }) => {
      const limit = { context: contextTokens, output: answerTokens(contextTokens) };
      const provider = {
        npm: '@ai-sdk/openai-compatible',
        name: 'hearth',
        options: { baseURL: baseUrl, apiKey: '{env:HEARTH_API_KEY}', timeout: answerTimeoutMs },
        models: { [modelId]: { name: modelId, tool_call: true, limit } },
      };
      const model = `hearth/${modelId}`;
      const config = { provider: { hearth: provider }, model, small_model: model };
      return { env: { HEARTH_API_KEY: secret, OPENCODE_CONFIG_CONTENT: JSON.stringify(config) }, args: [] };
    },
  },
  qwen: {
    command: 'qwen',
    npmPackage: '@qwen-code/qwen-code',
    firstPromptTokens: 15_500,
    unset: [],
    prepare: ({ baseUrl, secret, modelId }) => ({
      env: { OPENAI_BASE_URL: baseUrl, OPENAI_API_KEY: secret, OPENAI_MODEL: modelId },
      args: ['--auth-type', 'openai'],
    }),
  },
  copilot: {
    command: 'copilot',
    npmPackage: '@github/copilot',
    firstPromptTokens: 11_000,
    unset: [
      'COPILOT_PROVIDER_TYPE',
      'COPILOT_PROVIDER_WIRE_API',
      'COPILOT_PROVIDER_TRANSPORT',
      'COPILOT_PROVIDER_BEARER_TOKEN',
      'COPILOT_PROVIDER_API_KEY_COMMAND',
      'COPILOT_PROVIDER_HEADERS',
      'COPILOT_PROVIDER_MODEL_ID',
      'COPILOT_PROVIDER_WIRE_MODEL',
    ],
    prepare: ({ baseUrl, secret, modelId, contextTokens }) => ({
      env: {
        COPILOT_PROVIDER_BASE_URL: baseUrl,
        COPILOT_PROVIDER_API_KEY: secret,
        COPILOT_MODEL: modelId,
        COPILOT_PROVIDER_MAX_PROMPT_TOKENS: String(contextTokens - answerTokens(contextTokens)),
        COPILOT_PROVIDER_MAX_OUTPUT_TOKENS: String(answerTokens(contextTokens)),
        // It would ask for an account of GitHub otherwise, and send its measurements there.
        COPILOT_OFFLINE: 'true',
      },
      args: [],
    }),
  },
  pi: {
    command: 'pi',
    npmPackage: '@earendil-works/pi-coding-agent',
    firstPromptTokens: 2000,
    unset: [],
    prepare: ({ baseUrl, secret, modelId: id, contextTokens: contextWindow }) => {
      const model = { baseUrl, id, name: id, contextWindow, maxTokens: answerTokens(contextWindow) };
      return {
        env: { HEARTH_API_KEY: secret, [piModelVariable]: JSON.stringify(model) },
        args: ['-e', programBeside(import.meta.url, 'pi-extension'), '--provider', 'hearth', '--model', id],
      };
    },
  },
  kimi: {
    command: 'kimi',
    npmPackage: '@moonshot-ai/kimi-code',
    firstPromptTokens: 20_000,
    unset: ['KIMI_MODEL_CAPABILITIES', 'KIMI_MODEL_THINKING_EFFORT', 'KIMI_MODEL_ADAPTIVE_THINKING'],
    prepare: ({ baseUrl, secret, modelId, contextTokens }) => ({
      env: {
        KIMI_MODEL_PROVIDER_TYPE: 'openai',
        KIMI_MODEL_BASE_URL: baseUrl,
        KIMI_MODEL_API_KEY: secret,
        KIMI_MODEL_NAME: modelId,
        KIMI_MODEL_MAX_CONTEXT_SIZE: String(contextTokens),
        KIMI_MODEL_MAX_OUTPUT_SIZE: String(answerTokens(contextTokens)),
      },
      args: [],
    }),
  },
  droid: {
    command: 'droid',
    npmPackage: '@factory/cli',
    firstPromptTokens: 9000,
    unset: [],
    prepare: ({ baseUrl: url, secret, modelId, contextTokens }) => {
      const id = 'custom:hearth';
      const model = {
        id,
        model: modelId,
        displayName: modelId,
        baseUrl: url,
        apiKey: '${HEARTH_API_KEY}',
        provider: 'generic-chat-completion-api',
        maxContextLimit: contextTokens,
        maxOutputTokens: answerTokens(contextTokens),
      };
      const content = { sessionDefaultSettings: { model: id }, customModels: [model] };
      return {
        env: { HEARTH_API_KEY: secret },
        args: [],
        file: { variable: 'FACTORY_RUNTIME_SETTINGS_PATH', content },
      };
    },
  },
  cline: {
    command: 'cline',
    npmPackage: 'cline',
    firstPromptTokens: 4500,
    unset: ['CLINE_PROVIDER', 'CLINE_MODEL', 'CLINE_API_KEY'],
    prepare: ({ baseUrl, secret: apiKey, modelId: model }) => {
      const provider = 'openai-compatible';
      const settings = { provider, apiKey, model, baseUrl };
      const of = { settings, updatedAt: new Date().toISOString(), tokenSource: 'manual' };
      return {
        env: {},
        args: ['-P', provider, '-m', model],
        file: {
          variable: 'CLINE_PROVIDER_SETTINGS_PATH',
          content: { version: 1, lastUsedProvider: provider, modes: {}, providers: { [provider]: of } },
        },
      };
    },
  },
} as const satisfies Readonly<Record<string, Agent>>;

export type AgentName = keyof typeof agents;

export const agentNames = Object.keys(agents) as readonly AgentName[];
