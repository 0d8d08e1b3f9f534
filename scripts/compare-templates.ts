/**
 * Compares the prompts that hearth renders with those of llama.cpp's own server, for every template in a folder:
 *
 *   node scripts/compare-templates.ts LLAMA-SERVER FOLDER [NAME]
 *
 * Prints one line for each template, with the conversations whose prompts differ, and for one NAME the prompts.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { getLlama, LlamaLogLevel } from 'node-llama-cpp';
import { createTemplateRenderer } from '../src/engine/llama/template-engine.ts';
import { ChatTemplate } from '../src/engine/prompt/chat-template.ts';
import type { Conversation } from '../src/engine/prompt/conversation.ts';
import type { ChatMessage, ToolDefinition } from '../src/engine/types.ts';
import { writeTinyModel } from './tiny-model/write-tiny-model.ts';

const [binary, folder, only] = process.argv.slice(2);
if (binary === undefined || folder === undefined) throw new Error('Usage: LLAMA-SERVER FOLDER [NAME]');
const port = 18_000 + (process.pid % 1_000);

const tools: readonly ToolDefinition[] = [
  {
    name: 'get_weather',
    description: 'The weather at a place',
    parameters: {
      type: 'object',
      properties: { city: { type: 'string', description: 'Its name' }, days: { type: 'integer' } },
      required: ['city'],
    },
  },
  { name: 'add', description: 'Adds', parameters: { type: 'object', properties: { a: { type: 'number' } } } },
];
const system: ChatMessage = { role: 'system', content: 'Be brief.' };
const user: ChatMessage = { role: 'user', content: 'Hello there' };
const answer: ChatMessage = { role: 'assistant', content: 'Hi. What is it?' };
const question: ChatMessage = { role: 'user', content: 'And in Köln?' };
const call = (id: string, city: string) => ({
  id,
  name: 'get_weather',
  arguments: JSON.stringify({ city, days: 2 }),
});
const calling: ChatMessage = { role: 'assistant', content: '', toolCalls: [call('call00001', 'Rome')] };
const result: ChatMessage = { role: 'tool', content: '{"temp": 20}', toolCallId: 'call00001' };
const callingTwice: ChatMessage = {
  ...calling,
  toolCalls: [call('call00001', 'Rome'), call('call00002', 'Oslo')],
};
const other: ChatMessage = { role: 'tool', content: 'cold', toolCallId: 'call00002' };

const on = { reasoning: { enabled: true } };
const off = { reasoning: { enabled: false } };
const conversations: Readonly<Record<string, Conversation>> = {
  plain: { messages: [user], ...off },
  system: { messages: [system, user], ...off },
  turns: { messages: [system, user, answer, question], ...off },
  tools: { messages: [user], tools, ...off },
  'tools-system': { messages: [system, user], tools, ...off },
  result: { messages: [user, calling, result], tools, ...off },
  'result-turn': { messages: [system, user, calling, result, answer, question], tools, ...off },
  'two-results': { messages: [user, callingTwice, result, other], tools, ...off },
  spoken: { messages: [user, { ...calling, content: 'I look.' }, result], tools, ...off },
  thinking: { messages: [system, user], ...on },
  'thinking-tools': { messages: [user, calling, result], tools, ...on },
  thought: { messages: [user, { ...answer, reasoning: 'They greet.' }, question], ...on },
  'thought-call': { messages: [user, { ...calling, reasoning: 'Look it up.' }, result], tools, ...on },
};

/** The body of llama.cpp's server for `conversation`. */
const bodyOf = ({ messages, tools: definitions, reasoning }: Conversation) => ({
  messages: messages.map(({ role, content, toolCalls, toolCallId, reasoning: thought }) => ({
    role,
    content,
    ...(toolCallId !== undefined && { tool_call_id: toolCallId, name: 'get_weather' }),
    ...(thought !== undefined && { reasoning_content: thought }),
    ...(toolCalls && {
      tool_calls: toolCalls.map(({ id, name, arguments: text }) => ({
        id,
        type: 'function',
        function: { name, arguments: text },
      })),
    }),
  })),
  ...(definitions && { tools: definitions.map((tool) => ({ type: 'function', function: tool })) }),
  chat_template_kwargs: { enable_thinking: reasoning?.enabled === true },
});

async function theirs(conversation: Conversation): Promise<string> {
  const response = await fetch(`http://127.0.0.1:${port}/apply-template`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(bodyOf(conversation)),
  });
  const answered = (await response.json()) as { prompt?: string; error?: { message: string } };
  return answered.prompt ?? `error: ${answered.error?.message.slice(0, 200)}`;
}

function ours(template: ChatTemplate, conversation: Conversation): string {
  try {
    return template.renderPrompt(conversation).text;
  } catch (error) {
    return `error: ${String(error).slice(0, 200)}`;
  }
}

async function startServer(arguments_: readonly string[]): Promise<() => Promise<void>> {
  const server = spawn(binary ?? '', [...arguments_, '--port', String(port)], { stdio: 'ignore' });
  const exit = once(server, 'exit');
  for (let tries = 0; tries < 200; tries++) {
    const ready = await fetch(`http://127.0.0.1:${port}/health`).then(
      ({ ok }) => ok,
      () => false,
    );
    if (ready || server.exitCode !== null) break;
    await sleep(100);
  }
  return async () => {
    server.kill();
    await exit;
  };
}

// llama.cpp's server takes the text before a template's bos_token away, and adds the token itself.
const trimmed = (text: string) => text.replace(/^(?:<\|endoftext\|>)+/, '');

const work = await mkdtemp(path.join(tmpdir(), 'compare-templates-'));
const model = path.join(work, 'tiny.gguf');
await writeTinyModel(model, {});
const llama = await getLlama({
  gpu: false,
  build: 'never',
  skipDownload: true,
  logLevel: LlamaLogLevel.error,
});
const files = (await readdir(folder)).filter((file) => file.endsWith('.jinja') && file.includes(only ?? ''));
for (const file of files) {
  const source = await readFile(path.join(folder, file), 'utf8');
  const options = ['-m', model, '--jinja', '--chat-template-file', path.join(folder, file), '-c', '512'];
  const stop = await startServer([
    ...options,
    '--parallel',
    '1',
    '--threads',
    '1',
    '--no-webui',
    '--no-warmup',
  ]);
  const render = createTemplateRenderer(llama, source);
  const template = new ChatTemplate({ render, source, bosText: '<|endoftext|>', eosText: '<|im_end|>' });
  const different: string[] = [];
  for (const [name, conversation] of Object.entries(conversations)) {
    const pair = [ours(template, conversation), await theirs(conversation)].map(trimmed);
    if (pair[0] === pair[1]) continue;
    different.push(name);
    if (only !== undefined)
      console.log(`--- ${name}, hearth\n${pair[0]}\n--- ${name}, llama.cpp\n${pair[1]}`);
  }
  await stop();
  console.log(`${file}: ${different.length === 0 ? 'the same' : different.join(', ')}`);
}
await llama.dispose();
await rm(work, { recursive: true });
