import { QuoteIndex } from '../../documents/quotes/quote-index.ts';
import { AppError } from '../../errors/errors.ts';
import { AttachedFiles } from '../attachments/attached-files.ts';
import type { AppContext, AppDeps } from '../env.ts';
import { meteredRoutes } from '../generation/metering.ts';
import { countPromptTokens, generationOf } from '../generation/checked-request.ts';
import { serveGeneration } from '../generation/serve-generation.ts';
import { findModelFor } from '../model/find-model.ts';
import { nameIgnored, readBody } from '../request/read-parameters.ts';
import { unsupported } from '../request/validate.ts';
import { MessageStream, toMessage } from './answer.ts';
import type { TextCitation } from './citations.ts';
import { convertMessage } from './convert.ts';
import { toChatMessages } from './convert-messages.ts';
import { parseCountTokens, parseMessage, type MessageParameters, type PromptParameters } from './schema.ts';

/** POST /v1/messages: checks the request in the public order, then generates. */
export async function createMessage(c: AppContext, deps: AppDeps): Promise<Response> {
  const parameters = readBody(c, parseMessage);
  const prepared = prepare(c, deps, parameters);
  const { thinking, max_tokens: maxTokens } = parameters;
  const options = {
    model: prepared.named.name,
    maxTokens,
    omitsThoughts: thinking !== undefined && 'display' in thinking && thinking.display === 'omitted',
    signingKey: deps.signingKey,
    quotes: prepared.quotes,
  };
  return await serveGeneration(c, deps, {
    ...generationOf(prepared, (signal) =>
      prepared.quotes.readyFor(deps.engine.generate(prepared.request, signal)),
    ),
    route: meteredRoutes.messages,
    answer: parameters.stream === true ? new MessageStream(options, c.get('requestId')) : toMessage(options),
  });
}

/** POST /v1/messages/count_tokens: checks the same. Nothing is computed, so nothing is charged. */
export async function countTokens(c: AppContext, deps: AppDeps): Promise<Response> {
  const prepared = prepare(c, deps, readBody(c, parseCountTokens));
  return c.json({ input_tokens: await countPromptTokens(c, deps, prepared) });
}

function prepare(c: AppContext, deps: AppDeps, parameters: PromptParameters & Partial<MessageParameters>) {
  checkVersion(c);
  if (parameters.thread !== undefined)
    throw unsupported(['thread'], 'No conversations are kept here: leave it out, and send all messages.');
  const principal = c.get('principal');
  const named = findModelFor('chat', deps.catalog, principal, parameters.model);
  const files = new AttachedFiles(deps, principal, named, c.get('documents'));
  const system = dropAttributionHeader(parameters.system);
  if (system !== parameters.system) nameIgnored(c, [attributionHeaderPath]);
  const quotes = new QuoteIndex<TextCitation>();
  const messages = toChatMessages({ ...parameters, system }, deps.signingKey, files, quotes);
  const { reasoningTokens } = deps.settings;
  const converted = convertMessage(parameters, messages, named, principal, reasoningTokens);
  nameIgnored(c, converted.ignored);
  return { named, files, quotes, ...converted };
}

/** Versions since 2023-06-01 differ in their refusals, not in the fields that clients read here. None is the latest. */
function checkVersion(c: AppContext): void {
  const version = c.req.header('anthropic-version');
  if (version === undefined || (/^\d{4}-\d\d-\d\d$/.test(version) && version >= '2023-06-01')) return;
  throw new AppError('invalid_value', "The header 'anthropic-version' must be a date since 2023-06-01.");
}

/** The name under which a dropped header is listed in `x-ignored-parameters`. */
const attributionHeaderPath = 'system.x-anthropic-billing-header';

/** A longer line is content, whatever it begins with. */
const maxHeaderChars = 1024;

/**
 * The system prompt without the line with which Claude Code begins it, such as `x-anthropic-billing-header:
 * cc_version=2.1.197.d7d; cc_entrypoint=cli;`. Its values differ between sessions, and with some versions between
 * requests. As the first line of every prompt it would make all that follows differ from the prefix cache: 20,000
 * tokens that are computed anew.
 */
function dropAttributionHeader(system: PromptParameters['system']): PromptParameters['system'] {
  if (system === undefined) return undefined;
  if (typeof system === 'string') return withoutHeaderLine(system) || undefined;
  const [first, ...others] = system;
  if (first === undefined) return system;
  const text = withoutHeaderLine(first.text);
  if (text === first.text) return system;
  const left = text === '' ? others : [{ ...first, text }, ...others];
  return left.length > 0 ? left : undefined;
}

function withoutHeaderLine(text: string): string {
  const end = text.indexOf('\n');
  const line = end === -1 ? text : text.slice(0, end);
  return isAttributionHeader(line) ? text.slice(line.length).replace(/^\n+/, '') : text;
}

/** The line holds the header's name and pairs `name=value` between semicolons, and nothing else. */
function isAttributionHeader(line: string): boolean {
  if (line.length > maxHeaderChars) return false;
  const [name, ...rest] = line.split(':');
  if (name?.toLowerCase() !== 'x-anthropic-billing-header') return false;
  const fields = rest.join(':').split(';');
  return fields.every((field) => field.trim() === '' || /^[\w-]+=\S*$/.test(field.trim()));
}
