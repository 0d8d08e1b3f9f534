import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { Conversation } from '../../../src/engine/prompt/conversation.ts';
import type { ChatMessage } from '../../../src/engine/types.ts';

/** A conversation's prompt by llama.cpp, and a turn as it reads it where one was given. */
export interface LlamaAnswer {
  readonly error?: string;
  readonly prompt: string;
  readonly format: string;
  readonly text?: string;
  readonly reasoning?: string;
  readonly calls?: readonly { readonly name: string; readonly arguments: string }[];
}

const library = path.join(path.dirname(createRequire(import.meta.url).resolve('node-llama-cpp')), '..');

/** llama.cpp's own source, unpacked below `folder` from the bundle that comes with node-llama-cpp. */
export function unpackLlama(folder: string): string {
  const target = path.join(folder, 'llama.cpp');
  const bundle = path.join(library, 'llama/gitRelease.bundle');
  execFileSync('git', ['clone', '--quiet', '-c', 'advice.detachedHead=false', bundle, target]);
  return target;
}

/** The program of `file` in C++, compiled against llama.cpp's prebuilt library with the declarations in `source`. */
export function compileWithLlama(
  file: URL,
  source: string,
  folder: string,
  flags: readonly string[] = [],
): string {
  mkdirSync(folder, { recursive: true });
  const libraries = path.join(library, '../@node-llama-cpp/linux-x64/bins/linux-x64');
  const names = ['llama-common', 'llama.v0.5.0', 'ggml.v0.5.0', 'ggml-base'];
  const program = path.join(folder, path.basename(file.pathname, '.cpp'));
  execFileSync('g++', [
    '-std=c++17',
    ...flags,
    ...['common', 'include', 'ggml/include', 'vendor'].flatMap((name) => ['-I', path.join(source, name)]),
    fileURLToPath(file),
    `-L${libraries}`,
    ...names.map((name) => `-l:lib${name}.so`),
    `-Wl,-rpath,${libraries},-rpath-link,${libraries}`,
    '-o',
    program,
  ]);
  return program;
}

/** llama.cpp's common/chat, asked through llama-chat.cpp. */
export class LlamaChat {
  readonly #program: ReturnType<typeof spawn>;
  readonly #answers: AsyncIterator<string>;

  constructor(source: string, folder: string) {
    const program = compileWithLlama(new URL('llama-chat.cpp', import.meta.url), source, folder);
    this.#program = spawn(program, { stdio: ['pipe', 'pipe', 'ignore'] });
    if (this.#program.stdout === null) throw new Error('llama-chat has no output');
    this.#answers = createInterface({ input: this.#program.stdout })[Symbol.asyncIterator]();
  }

  async ask(
    template: { readonly source: string; readonly bosText: string; readonly eosText: string },
    conversation: Conversation,
    more: { readonly turn?: string; readonly isWhole?: boolean } = {},
  ): Promise<LlamaAnswer> {
    const { messages, tools, reasoning } = conversation;
    const request = {
      template: template.source,
      bos: template.bosText,
      eos: template.eosText,
      messages: messages.map(toWireMessage),
      thinking: reasoning?.enabled === true,
      isWhole: more.isWhole === true,
      ...(tools && { tools: tools.map((tool) => ({ type: 'function', function: tool })) }),
      ...(more.turn !== undefined && { turn: more.turn }),
    };
    this.#program.stdin?.write(`${JSON.stringify(request)}\n`);
    const { value, done } = await this.#answers.next();
    if (done === true) throw new Error('llama-chat has ended');
    return JSON.parse(value) as LlamaAnswer;
  }

  async close(): Promise<void> {
    const exit = once(this.#program, 'exit');
    this.#program.stdin?.end();
    await exit;
  }
}

const toWireMessage = ({ role, content, toolCalls, toolCallId, reasoning }: ChatMessage) => ({
  role,
  content,
  ...(toolCallId !== undefined && { tool_call_id: toolCallId, name: 'get_weather' }),
  ...(reasoning !== undefined && { reasoning_content: reasoning }),
  ...(toolCalls && {
    tool_calls: toolCalls.map(({ id, name, arguments: text }) => ({
      id,
      type: 'function',
      function: { name, arguments: text },
    })),
  }),
});
