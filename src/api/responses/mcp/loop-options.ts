import { AppError } from '../../../errors/errors.ts';
import type { AppContext, AppDeps } from '../../env.ts';
import { invalid } from '../../request/validate.ts';
import type { Item, OutputItem } from '../items/items.ts';
import type { PreparedResponse } from '../prepare.ts';
import type { Approvals } from './approvals.ts';
import type { OfferedServers } from './offered-servers.ts';
import type { ToolLoopOptions } from './tool-loop.ts';

interface LoopParts {
  readonly c: AppContext;
  readonly deps: AppDeps;
  readonly approvals: Approvals;
  readonly prepared: PreparedResponse;
  readonly maxCalls: number | undefined;
}

/** The lists of those servers whose tools `conversation` does not show yet. */
export function newLists({ lists }: OfferedServers, conversation: readonly Item[]): readonly OutputItem[] {
  const isShown = (label: string) =>
    conversation.some((item) => item.type === 'mcp_list_tools' && item.server_label === label);
  return lists.filter((one) => !isShown(one.server_label));
}

/** The loop's options; undefined where no server is named. Throws invalid_value for calls that nobody asked for. */
export function loopOptions(parts: LoopParts): Omit<ToolLoopOptions, 'generate'> | undefined {
  const { c, deps, approvals, prepared, maxCalls } = parts;
  const { tools, servers, files, request, history, input } = prepared;
  const { accountId, keyId } = c.get('principal');
  const approved = approvals.read(accountId, history, input);
  for (const { request: asked, path } of approved) {
    const isOffered = tools.some(
      ({ called }) =>
        called.kind === 'mcp' && called.label === asked.server_label && called.name === asked.name,
    );
    if (!isOffered) throw invalid(path, "allows a call of a tool that 'tools' does not offer any more");
  }
  if (servers.lists.length === 0) return undefined;
  return {
    request,
    tools,
    find: (label) => servers.find(label),
    approved,
    use: (call) => approvals.use(call),
    ask: ({ label, name }, args) => approvals.ask(accountId, { server_label: label, name, arguments: args }),
    maxCalls,
    attach: (pictures) =>
      pictures.flatMap(({ offset, file }) => {
        try {
          return files.addPictureFile(file, { offset, path: ['tools'], what: 'is a picture' });
        } catch (error) {
          // The model does not see, or it is no picture: its place in the text says that there was one.
          if (error instanceof AppError) return [];
          throw error;
        }
      }),
    onLoose: ({ label, name }, { message }) =>
      deps.log.warn(
        { requestId: c.get('requestId'), server: label, tool: name, reason: message },
        'the schema of a tool of an MCP server cannot be held: any object is let through',
      ),
    onCall: ({ label, name }, isDone, durationMs) => {
      const outcome = isDone ? 'completed' : 'failed';
      deps.metrics.toolCalled({ server: label, tool: name, outcome, durationMs });
      deps.log.info(
        {
          requestId: c.get('requestId'),
          keyId,
          server: label,
          tool: name,
          outcome,
          durationMs: Math.round(durationMs),
        },
        'called a tool',
      );
    },
  };
}
