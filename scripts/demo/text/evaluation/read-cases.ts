import type { Group, Message, Tool, ToolCall } from '../conversation.ts';
import { entries, type Entry, lines } from '../corpus/text/data.ts';
import type { Answer, EvaluationCase } from './case.ts';
import {
  calls,
  introducesItself,
  isJson,
  lists,
  matches,
  runs,
  says,
  saysLetter,
  spells,
  thinksAnd,
  tool,
} from './judge.ts';

type Accepts = (answer: Answer) => boolean;

/** The cases of a section of `cases/`, whose name ends with their group: "blind facts cases". */
export function readCases(group: Group, section = `${group} cases`): EvaluationCase[] {
  return entries(section).map((entry) => {
    const json = entry.find('json');
    const names = entry.find('tools')?.split(' ');
    return {
      group,
      ...(names && { tools: names.map(toolOf) }),
      ...(entry.find('thinks') === 'yes' && { thinking: true }),
      ...(json !== undefined && { jsonSchema: schemaOf(JSON.parse(json) as Json) }),
      messages: readMessages(entry),
      accepts: readJudge(entry),
    };
  });
}

const tools = new Map<string, Tool>(
  ['held-out tools offered', 'blind tools offered'].flatMap(entries).map((entry) => {
    const name = entry.get('name');
    const parameters = entry.inOrder.flatMap(([key, text]) => {
      const [parameter = '', type = ''] = text.split(' = ');
      if (!key.endsWith('parameter')) return [];
      return [[key === 'parameter' ? parameter : `${parameter}?`, readType(type)] as const];
    });
    return [name, tool(name, entry.get('description'), Object.fromEntries(parameters))];
  }),
);

function readType(text: string) {
  const isType = text === 'string' || text === 'integer' || text === 'number' || text === 'boolean';
  return isType ? text : text.split('/');
}

function toolOf(name: string): Tool {
  const found = tools.get(name);
  if (found === undefined) throw new RangeError(`no offered tool is called ${name}`);
  return found;
}

/** Neighbouring calls are one message. */
function readMessages(entry: Entry): Message[] {
  const messages: Message[] = [];
  let open: ToolCall[] | undefined;
  for (const [key, content] of entry.inOrder) {
    if (key === 'called') {
      const call = readCall(content);
      if (open === undefined) messages.push({ role: 'assistant', content: '', toolCalls: (open = [call]) });
      else open.push(call);
      continue;
    }
    open = undefined;
    if (key === 'returned') messages.push({ role: 'tool', content });
    else if (key === 'system' || key === 'user' || key === 'assistant') messages.push({ role: key, content });
  }
  return messages;
}

/** `name {"key": value}` */
function readCall(text: string): ToolCall {
  const [name = ''] = text.split(' ', 1);
  return { name, arguments: JSON.parse(text.slice(name.length)) as ToolCall['arguments'] };
}

const judges: Readonly<Record<string, (text: string) => Accepts>> = {
  says: (text) => says(...text.split('; ')),
  matches: (text) => matches(new RegExp(text.slice(1, text.lastIndexOf('/')), text.replace(/^.*\//u, ''))),
  json: (text) => isJson(JSON.parse(text)),
  spells,
  letter: saysLetter,
  runs: (text) => runs(...text.split('; ')),
  lists: (text) => {
    const [count = '', kind = ''] = text.split(' ');
    return lists(Number(count), lines(`right ${kind}`));
  },
  'introduces itself': () => introducesItself,
};

function readJudge(entry: Entry): Accepts {
  const expected = entry.all('calls').map(readCall);
  const found = entry.inOrder.find(([key]) => key in judges);
  const [name = '', text = ''] = found ?? [];
  const accepts =
    expected.length > 0
      ? calls(...expected.map((call) => [call.name, call.arguments] as const))
      : judges[name]?.(text);
  if (accepts === undefined)
    throw new RangeError(`nothing says what is right: ${entry.all('user').join(' ')}`);
  if (entry.find('thinks') === 'yes') return thinksAnd(accepts);
  return entry.find('thinks') === 'no' ? (answer) => answer.thought === '' && accepts(answer) : accepts;
}

type Json = string | number | boolean | readonly string[] | { readonly [key: string]: Json };

/** The schema that follows from the right answer: all its keys, in its order, and no others. */
function schemaOf(value: Json): Readonly<Record<string, unknown>> {
  if (typeof value === 'string') return { type: 'string' };
  if (typeof value === 'boolean') return { type: 'boolean' };
  if (typeof value === 'number') return { type: Number.isInteger(value) ? 'integer' : 'number' };
  if (Array.isArray(value)) return { type: 'array', items: { type: 'string' } };
  const properties = Object.entries(value).map(([key, field]) => [key, schemaOf(field)]);
  return {
    type: 'object',
    properties: Object.fromEntries(properties),
    required: Object.keys(value),
    additionalProperties: false,
  };
}
