import { Argument, type Command } from 'commander';
import { bootstrapAccountName } from '../../accounts/types.ts';
import { TerminalKey } from '../../accounts/terminal-key.ts';
import type { Config } from '../../config/types.ts';
import { CliError } from '../../errors/operator-errors.ts';
import { queryUsage } from '../../limits/reports/usage.ts';
import {
  addConfigOptions,
  configFrom,
  openAccounts,
  openTellingStore,
  parseCountFlag,
  type ConfigOptions,
} from '../context.ts';
import { orFail, tell } from '../output.ts';
import { quote, sameFolder, shellCommand } from '../own-command.ts';
import { withServerOrOwn } from '../server-connection.ts';
import { runAgent } from './agent-process.ts';
import { agentNames, agents, type Agent, type AgentName, type AgentTarget } from './agents.ts';
import { chooseAgentModel, count } from './choose-agent-model.ts';

interface LaunchOptions extends ConfigOptions {
  readonly model?: string;
  readonly account?: string;
  readonly limit?: string;
  readonly print?: boolean;
}

/** The key's secret works for five minutes, and is made to work for five more each minute while the agent runs. */
const extendKeyMs = 60_000;

export function registerLaunchCommand(program: Command): void {
  const command = program
    .command('launch')
    .description('start a coding agent that asks this server, with a key that dies with it')
    .addArgument(new Argument('<agent>', 'the agent').choices(agentNames))
    .argument('[arguments...]', 'after "--": the agent’s own arguments')
    .option('--model <id>', 'the model to use (default: the largest that can use tools)')
    .option('--account <name>', 'the account that pays, by its plan (default: local)')
    .option(
      '--limit <tokens>',
      'the most tokens that the agent may use, in and out (default: what the plan allows)',
    )
    .option('--print', 'print the environment and the command, and start nothing');
  addConfigOptions(command).action((name: AgentName, args: string[], options: LaunchOptions) =>
    orFail(() => launch(name, args, options)),
  );
}

async function launch(name: AgentName, args: readonly string[], options: LaunchOptions): Promise<void> {
  const config = configFrom(options);
  const agent = agents[name];
  const limit = options.limit === undefined ? undefined : parseCountFlag('--limit', options.limit);
  await withServerOrOwn(config, 'an own server starts', async (server) => {
    if (config.tls === 'self-signed' && server.baseUrl.startsWith('https:'))
      throw new CliError(
        `the server at ${server.baseUrl} has a certificate that it made itself, which agents refuse`,
        'give it one of an authority, or start it without "tls"',
      );
    const model = chooseAgentModel(await server.models(), options.model, agent);
    const about = { baseUrl: server.baseUrl, modelId: model.id, contextTokens: model.contextTokens };
    if (options.print === true) {
      printCommand(name, about, args);
      const { account = bootstrapAccountName } = options;
      const budget = limit === undefined ? [] : ['--limit', String(limit)];
      const create = ['keys', 'create', '--account', account, ...budget, ...sameFolder(config)];
      tell(`HEARTH_API_KEY is a key of yours: ${shellCommand(create)}`);
      return;
    }
    if (model.warning !== undefined) tell(model.warning);
    const key = lendKey(config, name, options.account, limit);
    try {
      process.exitCode = await runAgent(agent, agent.prepare({ ...about, secret: key.secret }), args);
      tell(key.usage());
    } finally {
      key.release();
    }
  });
}

/** A key for one run of the agent. Where this process is killed, its secret works for five minutes more. */
function lendKey(
  config: Config,
  name: AgentName,
  accountName: string | undefined,
  limit: number | undefined,
) {
  const store = openTellingStore(config);
  const { accounts, keys } = openAccounts(config, store);
  const accountId = accountName === undefined ? undefined : accounts.get(accountName).id;
  const key = new TerminalKey({
    store,
    accounts,
    keys,
    now: Date.now,
    name: `hearth launch ${name}`,
    accountId,
  });
  const fromMs = Date.now();
  const secret = key.renew();
  key.limit(limit);
  const keyId = key.id;
  const extending = setInterval(() => key.extend(), extendKeyMs);
  return {
    secret,
    usage(): string {
      const [used] = queryUsage(store, { by: 'key', fromMs, keyId });
      if (used === undefined) return `${name} asked nothing`;
      const { requests, promptTokens, cachedTokens, completionTokens } = used;
      const asked = `${count(requests)} request${requests === 1 ? '' : 's'}`;
      const tokens = `${count(promptTokens)} tokens in (${count(cachedTokens)} of them cached)`;
      const left = limit === undefined ? '' : `; ${leftOf(limit, promptTokens + completionTokens)}`;
      return `${name} made ${asked}: ${tokens}, ${count(completionTokens)} out${left}`;
    },
    release(): void {
      clearInterval(extending);
      key.release();
      store.close();
    },
  };
}

const leftOf = (limit: number, used: number) =>
  used < limit
    ? `${count(limit - used)} of its ${count(limit)} are left`
    : `its limit of ${count(limit)} is used up`;

/** Prints the variables that would be set, with the key left to the user: one that dies with a command is of no use here. */
function printCommand(name: AgentName, about: Omit<AgentTarget, 'secret'>, args: readonly string[]): void {
  const agent: Agent = agents[name];
  const { command, unset } = agent;
  const { env, args: own, file } = agent.prepare({ ...about, secret: '$HEARTH_API_KEY' });
  const lines = [
    ...unset.map((variable) => `unset ${variable}`),
    ...Object.entries(env)
      .filter(([variable]) => variable !== 'HEARTH_API_KEY')
      .map(
        ([variable, value]) =>
          `export ${variable}=${value === '$HEARTH_API_KEY' ? `"${value}"` : quote(value)}`,
      ),
    ...(file === undefined
      ? []
      : [
          `export ${file.variable}="$(mktemp)"`,
          // In double quotes the shell puts the key in.
          `echo "${JSON.stringify(file.content).replaceAll(/["`\\]/g, '\\$&')}" > "$${file.variable}"`,
        ]),
    [command, ...own, ...args].map((word) => quote(word)).join(' '),
  ];
  process.stdout.write(`${lines.join('\n')}\n`);
}
