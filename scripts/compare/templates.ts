/**
 * Compares hearth's reading of chat templates with llama.cpp's own common/chat, which knows some formats by hand:
 *
 *   node scripts/compare/templates.ts [FOLDER|-] [NAME]
 *
 * Without a folder (or with -): for every template that llama.cpp's source has, which comes with node-llama-cpp. Prints
 * one line for each template: how its calls are read here and there, for how many conversations the prompts are equal,
 * and how many turns that the template wrote itself are read back as they were, by each of the two. Then the names of
 * all that differed. For one NAME the texts as well. Needs git and g++, and Linux on x64.
 */
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { getLlama, LlamaLogLevel } from 'node-llama-cpp';
import { createTemplateRenderer } from '../../src/engine/llama/template-engine.ts';
import { ChatTemplate } from '../../src/engine/prompt/chat-template.ts';
import type { Conversation } from '../../src/engine/prompt/conversation.ts';
import { commonEnd, lastMarkerAt } from '../../src/engine/prompt/text/text-cuts.ts';
import type { ChatMessage } from '../../src/engine/types.ts';
import { conversations, turns } from './templates/cases.ts';
import { LlamaChat, unpackLlama } from './templates/llama-chat.ts';
import { parsed, readTurn, type Turn } from './templates/read-turn.ts';

const [given = '-', only] = process.argv.slice(2);
const tokens = { bosText: '<|endoftext|>', eosText: '<|im_end|>' };

const work = await mkdtemp(path.join(tmpdir(), 'compare-templates-'));
const unpacked = unpackLlama(work);
const folder = given === '-' ? path.join(unpacked, 'models/templates') : given;
const theirs = new LlamaChat(unpacked, work);
const llama = await getLlama({
  gpu: false,
  build: 'never',
  skipDownload: true,
  logLevel: LlamaLogLevel.error,
});

function ours(template: ChatTemplate, conversation: Conversation): string {
  try {
    return template.renderPrompt(conversation).text;
  } catch (error) {
    return `error: ${String(error).slice(0, 200)}`;
  }
}

const wanted = ({ content, reasoning = '', toolCalls = [] }: ChatMessage): Turn => ({
  text: content,
  reasoning,
  calls: toolCalls.map(({ name, arguments: json }) => ({ name, arguments: parsed(json) })),
});

/** Whether all was read that there was to read: the template may have dropped a thought, and changed white space. */
function isRead(read: Turn, turn: Turn, written: string): boolean {
  const reasoning = written.includes(turn.reasoning) ? turn.reasoning : '';
  return (
    read.text.trim() === turn.text &&
    read.reasoning.trim() === reasoning &&
    isDeepStrictEqual(read.calls, turn.calls)
  );
}

/** The turn `text` behind llama.cpp's `prompt`, as it is read here. */
function readHere(template: ChatTemplate, conversation: Conversation, prompt: string, text: string): Turn {
  const syntax = template.facts.thoughts?.syntax;
  // A template may open a thought and write an answer without one behind that, which no model would.
  const startsInThought =
    syntax?.kind === 'tags' && prompt.trimEnd().endsWith(syntax.tags.begin) && text.includes(syntax.tags.end);
  return readTurn(template.facts, conversation, startsInThought, text);
}

const marker = /<[^<>\s][^<>\n]{0,60}>|\[[^\][\s]{1,20}\[|\[\/?[A-Z][A-Z_]*\]/g;
const thoughtEnd = /^\s*(?:<think>\s*)?<\/think>\s*/;

/** Tokens that end a turn after calls: llama.cpp ends a generation at each, so no reader sees them. */
const callEndings = ['<|calls|>', '<|call|>', '<|eom_id|>', '<|tool_response>'];

/** `whole` without the opening of another turn, which some templates write unasked, as at the end of `prompt`. */
function withoutOpening(whole: string, prompt: string): string {
  const shared = commonEnd(prompt, whole);
  return lastMarkerAt(shared) > 0 ? whole.slice(0, -shared.length) : whole;
}

/** The text that a model would have written: `whole` from the end of the prompt on, without the token that ends the turn. */
function turnIn(whole: string, prompt: string, endings: readonly string[]): string {
  let length = 0;
  while (length < prompt.length && whole[length] === prompt[length]) length++;
  if (length < prompt.length) {
    // The prompt ends in a thought that the whole has not.
    const cut = [...prompt.matchAll(marker)].find(
      ({ index, 0: { length: size } }) => index < length && length < index + size,
    );
    length = cut?.index ?? length;
  }
  const text = whole.slice(length).trimEnd();
  const ending = endings.find((end) => end !== '' && text.endsWith(end)) ?? '';
  const turn = text.slice(0, text.length - ending.length);
  return length < prompt.length ? turn.replace(thoughtEnd, '') : turn;
}

async function compareTurns(template: ChatTemplate, source: string, show: (text: string) => void) {
  const here: string[] = [];
  const there: string[] = [];
  const about = { ...tokens, source };
  let ending = '';
  for (const [name, { conversation, turn }] of Object.entries(turns)) {
    const { prompt, error } = await theirs.ask(about, conversation);
    const whole = await theirs.ask(
      about,
      { ...conversation, messages: [...conversation.messages, turn] },
      { isWhole: true },
    );
    if (error !== undefined || whole.error !== undefined) {
      show(`--- turn ${name}: ${error ?? whole.error}`);
      continue;
    }
    const written = withoutOpening(whole.prompt, prompt);
    // The first turn is plain text, so the last marker after it is the token that ends a turn.
    if (name === 'answer') {
      const after = written.slice(written.lastIndexOf(turn.content) + turn.content.length);
      ending = [...after.matchAll(marker)].at(-1)?.[0] ?? '';
    }
    const text = turnIn(written, prompt, [ending, ...callEndings]);
    const read = await theirs.ask(about, conversation, { turn: text });
    const calls = read.calls?.map((call) => ({ name: call.name, arguments: parsed(call.arguments) })) ?? [];
    const asThere = { text: read.text ?? '', reasoning: read.reasoning ?? '', calls };
    const asHere = readHere(template, conversation, prompt, text);
    const isRight = { here: isRead(asHere, wanted(turn), text), there: isRead(asThere, wanted(turn), text) };
    if (!isRight.here) here.push(name);
    if (!isRight.there) there.push(name);
    show(`--- turn ${name}: ${JSON.stringify(text)}\n    hearth ${isRight.here} ${JSON.stringify(asHere)}`);
    show(`    llama.cpp ${isRight.there} ${JSON.stringify(asThere)} ${read.error ?? ''}`);
  }
  return { here, there };
}

// llama.cpp takes the text before a template's bos_token away, and adds the token itself.
const trimmed = (text: string) => text.replace(/^(?:<\|endoftext\|>)+/, '');

async function comparePrompts(template: ChatTemplate, source: string, show: (text: string) => void) {
  const different: string[] = [];
  for (const [name, conversation] of Object.entries(conversations)) {
    const { prompt, error } = await theirs.ask({ ...tokens, source }, conversation);
    const there = trimmed(prompt ?? `error: ${error}`);
    const here = trimmed(ours(template, conversation));
    if (here === there) continue;
    different.push(name);
    show(`--- ${name}, hearth\n${here}\n--- ${name}, llama.cpp\n${there}`);
  }
  return different;
}

function formatOf({ facts: { toolSyntax, knowsSyntax } }: ChatTemplate): string {
  const { body } = toolSyntax;
  const kind = body.kind === 'json' ? 'json' : body.arguments.kind;
  return knowsSyntax ? `native ${kind} ${JSON.stringify(toolSyntax.triggers[0]?.text ?? '')}` : 'json';
}

console.log('| template | calls here | calls there | equal prompts | turns read here | there |');
console.log('| --- | --- | --- | --- | --- | --- |');
const names = (await readdir(folder)).filter((file) => file.endsWith('.jinja') && file.includes(only ?? ''));
const share = (failed: readonly string[], all: object) =>
  `${Object.keys(all).length - failed.length}/${Object.keys(all).length}`;
for (const file of names) {
  const source = await readFile(path.join(folder, file), 'utf8');
  const notes: string[] = [];
  const show = (text: string) => void notes.push(text);
  const template = new ChatTemplate({ render: createTemplateRenderer(llama, source), source, ...tokens });
  const { format } = await theirs.ask({ ...tokens, source }, conversations['tools'] ?? { messages: [] });
  const prompts = await comparePrompts(template, source, show);
  const { here, there } = await compareTurns(template, source, show);
  const name = file.replace('.jinja', '');
  const cells = [
    name,
    formatOf(template),
    format,
    share(prompts, conversations),
    share(here, turns),
    share(there, turns),
  ];
  console.log(`| ${cells.join(' | ')} |`);
  const differing = { prompts, 'turns here': here, 'turns there': there };
  for (const [what, list] of Object.entries(differing))
    if (list.length > 0) console.log(`    ${what}: ${list.join(', ')}`);
  if (only !== undefined) console.log(notes.join('\n'));
}
await theirs.close();
await llama.dispose();
await rm(work, { recursive: true });
