/**
 * Reads the turns of llama.cpp's own test of chats (tests/test-chat.cpp of the source that comes with node-llama-cpp) with
 * the same templates and tools, and prints those that are read otherwise than there:
 *
 *   node scripts/compare/turns.ts [NAME]
 *
 * For turns of templates with NAME in theirs alone. Ends with 1 where a difference is not in turns/chosen.ts, which has
 * the reasons, or where one of these is none any more. Needs git and g++, and Linux on x64.
 */
import { execFileSync } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { getLlama, LlamaLogLevel } from 'node-llama-cpp';
import { reasoningOf } from '../../src/engine/llama/prepared-request.ts';
import { createTemplateRenderer } from '../../src/engine/llama/template-engine.ts';
import { ChatTemplate } from '../../src/engine/prompt/chat-template.ts';
import type { ChatMessage, ToolDefinition } from '../../src/engine/types.ts';
import { compileWithLlama, unpackLlama } from './templates/llama-chat.ts';
import { parsed, readTurn, type Turn } from './templates/read-turn.ts';
import { chosen } from './turns/chosen.ts';

/** A line of turns/llama-turns.cpp. */
interface TestedTurn {
  readonly template: string;
  readonly messages: readonly WireMessage[];
  readonly tools: readonly { readonly function: ToolDefinition }[] | null;
  readonly isRequired: boolean;
  readonly isThinking: boolean;
  /** Thoughts were left in the text. */
  readonly keepsThoughts: boolean;
  /** The last message is the beginning of the turn. */
  readonly continues: boolean;
  /** More was to come. */
  readonly isPartial: boolean;
  readonly input: string;
  readonly text: string;
  readonly reasoning: string;
  readonly calls: readonly { readonly name: string; readonly arguments: string }[];
}

interface WireMessage {
  readonly role: ChatMessage['role'];
  readonly content: string | readonly { readonly text: string }[] | null;
  readonly reasoning_content?: string;
  readonly tool_call_id?: string;
  readonly tool_calls?: readonly {
    readonly id: string;
    readonly function: { readonly name: string; readonly arguments: string };
  }[];
}

const [only = ''] = process.argv.slice(2);
const work = await mkdtemp(path.join(tmpdir(), 'compare-turns-'));
const unpacked = unpackLlama(work);
const llama = await getLlama({
  gpu: false,
  build: 'never',
  skipDownload: true,
  logLevel: LlamaLogLevel.error,
});

/** The turns of the test of the source in `unpacked`, which notes them instead of reading them. */
async function testedTurns(): Promise<TestedTurn[]> {
  const test = await readFile(path.join(unpacked, 'tests/test-chat.cpp'), 'utf8');
  const tests = path.join(unpacked, 'tests/turns.cpp');
  const end = test.indexOf('\n}\n', test.indexOf('static void test_template_output_peg_parsers')) + 3;
  const server = /#include "\.\.\/tools\/server\/[^"]+"/;
  const stand =
    '#include "json.h"\ncommon_json server_chat_convert_responses_to_chatcmpl(const common_json &);';
  const noted = test
    .slice(0, end)
    .replace(server, stand)
    .replace(/test_peg_parser\(tester_[^;]*;[^;]*;/, 'note_turn(tester_.template_path(), tc_);');
  await writeFile(tests, noted);
  const file = new URL('turns/llama-turns.cpp', import.meta.url);
  const program = compileWithLlama(file, unpacked, work, ['-O1', '-w', `-DTESTS="${tests}"`]);
  // The test prints what it tries to its other output.
  return execFileSync(program, {
    cwd: unpacked,
    encoding: 'utf8',
    maxBuffer: 2 ** 26,
    stdio: ['ignore', 'pipe', 'ignore'],
  })
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as TestedTurn);
}

const textOf = (content: WireMessage['content']) =>
  typeof content === 'string' ? content : (content ?? []).map(({ text }) => text).join('\n');

const toMessage = ({
  role,
  content,
  reasoning_content,
  tool_call_id,
  tool_calls,
}: WireMessage): ChatMessage => ({
  role,
  content: textOf(content),
  ...(reasoning_content !== undefined && { reasoning: reasoning_content }),
  ...(tool_call_id !== undefined && { toolCallId: tool_call_id }),
  ...(tool_calls && { toolCalls: tool_calls.map((call) => ({ id: call.id, ...call.function })) }),
});

function readHere(template: ChatTemplate, turn: TestedTurn): Turn {
  const { facts } = template;
  const messages = turn.messages.map(toMessage);
  const prompt = { kind: 'messages', messages, continuesLast: turn.continues } as const;
  // These turns of gpt-oss begin with their header, so nobody has asked for the thought that the prompt would begin.
  const isOpen = facts.thoughts?.syntax.kind === 'channels' && turn.isThinking;
  const reasoning = isOpen ? undefined : { enabled: turn.isThinking };
  const conversation = {
    ...prompt,
    ...(reasoning && { reasoning }),
    ...reasoningOf({ prompt, reasoning }, facts),
    ...(turn.tools && { tools: turn.tools.map((tool) => tool.function) }),
  };
  const { startsInThought } = template.renderPrompt(conversation);
  const read = readTurn(facts, conversation, startsInThought, turn.input, turn.isRequired);
  const [begun] = turn.continues ? messages.slice(-1) : [];
  const thought = facts.thoughts === undefined ? '' : (begun?.reasoning ?? '');
  return { ...read, text: (begun?.content ?? '') + read.text, reasoning: thought + read.reasoning };
}

const squeezed = (value: unknown) =>
  (typeof value === 'string' ? value : JSON.stringify(value)).replaceAll(/\s/g, '');

/** Whether `here` says what the test expects, apart from white space at the edges. */
function saysSame(here: Turn, turn: TestedTurn): boolean {
  const [text, reasoning] = [here.text.trim(), here.reasoning.trim()];
  const isSaid = turn.keepsThoughts
    ? turn.text.includes(text) && turn.text.includes(reasoning)
    : text === turn.text.trim() && reasoning === turn.reasoning.trim();
  if (!isSaid || here.calls.length !== turn.calls.length) return false;
  return turn.calls.every((call, index) => {
    const read = here.calls[index];
    if (read?.name !== call.name) return false;
    const [there, ours] = [parsed(call.arguments), read.arguments];
    return turn.isPartial
      ? squeezed(ours).startsWith(squeezed(there).slice(0, -1)) || squeezed(there).startsWith(squeezed(ours))
      : isDeepStrictEqual(there, ours);
  });
}

const turns = (await testedTurns()).filter(({ template }) => template.includes(only));
const templates = new Map<string, ChatTemplate>();
async function openTemplate(file: string): Promise<ChatTemplate> {
  const source = await readFile(path.join(unpacked, file), 'utf8');
  return new ChatTemplate({
    render: createTemplateRenderer(llama, source),
    source,
    bosText: '<s>',
    eosText: '</s>',
  });
}

const met = new Map(chosen.map((choice) => [choice, 0]));
let unexplained = 0;
for (const turn of turns) {
  const name = path.basename(turn.template, '.jinja');
  const template = templates.get(name) ?? (await openTemplate(turn.template));
  templates.set(name, template);
  const here = readHere(template, turn);
  if (saysSame(here, turn)) continue;
  const choice = chosen.find(
    ({ template: part, input }) => name.includes(part) && turn.input.includes(input),
  );
  if (choice) {
    met.set(choice, (met.get(choice) ?? 0) + 1);
    continue;
  }
  unexplained++;
  const { text, reasoning, calls } = turn;
  console.log(`--- ${name}: ${JSON.stringify(turn.input)}${turn.isPartial ? ' …' : ''}`);
  console.log(`    hearth    ${JSON.stringify(here)}`);
  console.log(`    llama.cpp ${JSON.stringify({ text, reasoning, calls })}`);
}
const explained = [...met.values()].reduce((sum, count) => sum + count, 0);
console.log(`${turns.length} turns: ${explained} are read otherwise for a reason, ${unexplained} for none.`);
const stale = only === '' ? chosen.filter((choice) => met.get(choice) === 0) : [];
for (const { template, input } of stale) console.log(`Read as there: ${template}, ${JSON.stringify(input)}`);
process.exitCode = unexplained + stale.length > 0 ? 1 : 0;
await llama.dispose();
await rm(work, { recursive: true });
