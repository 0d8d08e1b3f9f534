import type { Command } from 'commander';
import { openMcpServers } from '../../assembly/open-mcp-servers.ts';
import type { Config } from '../../config/types.ts';
import { CliError } from '../../errors/operator-errors.ts';
import { McpFailure } from '../../mcp/mcp-failure.ts';
import type { McpServer } from '../../mcp/mcp-server.ts';
import { needsApproval } from '../../mcp/server-spec.ts';
import { createLog } from '../../telemetry/log.ts';
import { messageOf } from '../../words/describe-error.ts';
import { nearestName } from '../../words/nearest-names.ts';
import { addConfigOptions, configFrom, type StoreOptions } from '../context.ts';
import { orFail, printRows, printText, type Column } from '../output.ts';

/** A tool of a server, or a server that cannot be asked. */
interface ToolRow {
  readonly server: string;
  readonly tool: string | null;
  readonly approval: 'needed' | 'no' | null;
  /** The first line of its description, or why there is none. */
  readonly about: string;
}

const columns: readonly Column<ToolRow>[] = [
  { title: 'SERVER', value: ({ server }) => server },
  { title: 'TOOL', value: ({ tool }) => tool ?? '!!' },
  { title: 'APPROVAL', value: ({ approval }) => approval ?? '-' },
  { title: 'ABOUT', value: ({ about }) => about, giveWay: 'wrap' },
];

export function registerMcpCommand(program: Command): void {
  const mcp = program.command('mcp').description('tools that models may call, and models as tools of agents');
  const list = mcp
    .command('list')
    .description('start each server and show its tools; exits with 1 where one fails')
    .option('--json', 'print one JSON document instead of a table');
  addConfigOptions(list).action((options: StoreOptions) =>
    orFail(() => withServers(options, (servers) => listTools(servers, options.json))),
  );
  const serve = mcp
    .command('serve')
    .description('give an agent the models of the running server as tools, on standard input and output');
  addConfigOptions(serve).action((options: StoreOptions) =>
    orFail(async () => {
      const { serveTools } = await import('./serve-tools.ts');
      await serveTools(configFrom(options));
    }),
  );
  const trial = mcp
    .command('try')
    .description('call a tool and print what it answers; exits with 1 where it fails')
    .argument('<server>', 'the label of the server')
    .argument('<tool>', 'the name of the tool')
    .argument('[json]', 'its arguments, as a JSON object', '{}');
  addConfigOptions(trial).action((label: string, tool: string, json: string, options: StoreOptions) =>
    orFail(() => withServers(options, (servers) => tryTool(servers, { label, tool, json }))),
  );
}

async function withServers(
  options: StoreOptions,
  work: (servers: readonly McpServer[]) => Promise<void>,
): Promise<void> {
  const servers = openMcpServers(configFrom(options), createLog({ level: 'silent' }));
  try {
    await work(servers.list());
  } finally {
    await servers.close();
  }
}

async function listTools(servers: readonly McpServer[], json: boolean | undefined): Promise<void> {
  const rows = await Promise.all(
    servers.map(async (server): Promise<readonly ToolRow[]> => {
      const { label } = server.spec;
      try {
        const tools = await server.tools();
        const faulty = server.leftOut.map((tool): ToolRow => ({
          server: label,
          tool,
          approval: null,
          about: 'left out: it is faulty, too large or one too many',
        }));
        const usable = tools.map(({ name, description }): ToolRow => ({
          server: label,
          tool: name,
          approval: needsApproval(server.spec, name) ? 'needed' : 'no',
          about: description.split('\n', 1)[0] ?? '',
        }));
        return [...usable, ...faulty];
      } catch (error) {
        process.exitCode = 1;
        return [{ server: label, tool: null, approval: null, about: whyNot(error) }];
      }
    }),
  );
  printRows(rows.flat(), columns, json, 'no servers: set some up under "mcp" in hearth.yaml');
}

interface Trial {
  readonly label: string;
  readonly tool: string;
  readonly json: string;
}

async function tryTool(servers: readonly McpServer[], { label, tool, json }: Trial): Promise<void> {
  const labels = servers.map(({ spec }) => spec.label);
  const server = servers.find(({ spec }) => spec.label === label);
  if (server === undefined) throw unknown('server', label, labels);
  const args = readArguments(json);
  try {
    const names = (await server.tools()).map(({ name }) => name);
    if (!names.includes(tool)) throw unknown('tool', tool, names);
    const result = await server.call(tool, args, new AbortController().signal);
    printText(`${result.text}\n`);
    if (result.isError) process.exitCode = 1;
  } catch (error) {
    throw error instanceof McpFailure ? new CliError(`the server "${label}" ${whyNot(error)}`) : error;
  }
}

function readArguments(json: string): Readonly<Record<string, unknown>> {
  let args: unknown;
  try {
    args = JSON.parse(json);
  } catch (error) {
    throw new CliError(`the arguments are no JSON: ${messageOf(error)}`);
  }
  if (typeof args === 'object' && args !== null && !Array.isArray(args))
    return args as Record<string, unknown>;
  throw new CliError('the arguments must be a JSON object', `such as '{"path":"/srv"}'`);
}

function unknown(what: string, name: string, names: readonly string[]): CliError {
  const near = nearestName(name, names);
  const hint = near === undefined ? `there are: ${names.join(', ') || 'none'}` : `did you mean "${near}"?`;
  return new CliError(`there is no ${what} "${name}"`, hint);
}

/** Why a server cannot be used, with the last words of its command. */
export function whyNot(error: unknown): string {
  if (!(error instanceof McpFailure)) throw error;
  const { message, cause } = error;
  if (cause === undefined) return message;
  const said = typeof cause === 'string' ? cause : messageOf(cause);
  return `${message} (${said})`;
}

/** Whether each configured server tells its tools. */
export async function mcpFindings(config: Config) {
  const servers = openMcpServers(config, createLog({ level: 'silent' }));
  try {
    return await Promise.all(
      servers.list().map(async (server) => {
        const subject = `mcp ${server.spec.label}`;
        try {
          const { length } = await server.tools();
          const finding = length === 1 ? 'one tool' : `${length} tools`;
          if (server.leftOut.length === 0) return { subject, ok: true, finding };
          return {
            subject,
            ok: false,
            finding: `${finding}; left out: ${server.leftOut.join(', ')}`,
            remedy: 'these tools are faulty, too large or too many: tell whoever made the server',
          };
        } catch (error) {
          return {
            subject,
            ok: false,
            finding: whyNot(error),
            remedy: 'correct it under "mcp" in hearth.yaml',
          };
        }
      }),
    );
  } finally {
    await servers.close();
  }
}
