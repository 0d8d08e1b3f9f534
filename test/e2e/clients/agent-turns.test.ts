import { expect, it } from 'vitest';
import { useChatServer } from '../../support/server/chat-fixture.ts';
import { bundledTemplates, hasGit } from '../../support/models/templates.ts';
import { tinyModel } from '../../support/models/tiny-model.ts';
import { openToolModel, toolModel } from '../../support/models/tool-models.ts';
import recorded from '../../support/wire/claude-code-requests.json' with { type: 'json' };

// Three turns as agents send them, in the shapes that were recorded of their packages: changes from request to request,
// and requests in between, must not spoil the cache. Their words are left out.

/** A model with the template and the memory of Qwen 3.5, of which only the beginnings of conversations can be kept. */
const hybrid = 'hybrid';

const chat = useChatServer({
  models: async () => ({
    ...(await openToolModel()),
    ...(hasGit && {
      [hybrid]: await tinyModel({
        architecture: 'qwen35',
        chatTemplate: bundledTemplates().get('Qwen3.5-4B'),
        contextTokens: 32_768,
      }),
    }),
  }),
  settings: { [toolModel]: { parallel: 2 }, ...(hasGit && { [hybrid]: { parallel: 1 } }) },
});

const rules = 'You work in a terminal. Answer in few words. '.repeat(12);
const date = "<system-reminder>Today's date is 2026-11-23.</system-reminder>";
const parameters = { type: 'object', properties: {}, additionalProperties: false };
const about = { name: 'list_files', description: 'Lists the files of the folder.' };
const questions = ['What is here?', 'And what is in it?'];
const result = 'notes.md';

type Body = Readonly<Record<string, unknown>>;
interface Use {
  readonly promptTokens: number;
  readonly cachedTokens: number;
}

async function post<Json>(path: string, body: Body): Promise<Json> {
  const { baseUrl, apiKey } = chat().server;
  const headers = { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' };
  const request = { model: toolModel, temperature: 0, ...body };
  const response = await fetch(`${baseUrl}/${path}`, {
    method: 'POST',
    headers,
    body: JSON.stringify(request),
  });
  expect(response.status, await response.clone().text()).toBe(200);
  return (await response.json()) as Json;
}

interface Completion {
  readonly choices: readonly {
    readonly message: Body & { readonly tool_calls?: readonly { readonly id: string }[] };
  }[];
  readonly usage: {
    readonly prompt_tokens: number;
    readonly prompt_tokens_details: { readonly cached_tokens: number };
  };
}

/** Turns by chat completions, each with the requests of `aside` between them. */
async function completionTurns(aside: (messages: readonly Body[]) => Body): Promise<Use[]> {
  const tools = [{ type: 'function', function: { ...about, parameters } }];
  const messages: Body[] = [
    { role: 'system', content: rules },
    {
      role: 'user',
      content: [
        { type: 'text', text: date },
        { type: 'text', text: questions[0] },
      ],
    },
  ];
  const uses: Use[] = [];
  for (const turn of [0, 1, 2]) {
    const body = {
      messages,
      tools,
      max_tokens: turn === 0 ? 60 : 8,
      tool_choice: turn === 0 ? 'required' : 'auto',
    };
    const { choices, usage } = await post<Completion>('chat/completions', body);
    uses.push({ promptTokens: usage.prompt_tokens, cachedTokens: usage.prompt_tokens_details.cached_tokens });
    const message = choices[0]?.message ?? {};
    const { tool_calls: calls = [] } = message;
    messages.push(message, ...calls.map(({ id }) => ({ role: 'tool', tool_call_id: id, content: result })));
    if (calls.length === 0) messages.push({ role: 'user', content: questions[1] });
    await post('chat/completions', { max_tokens: 4, ...aside(messages) });
  }
  return uses;
}

interface Message {
  readonly content: readonly { readonly type: string; readonly id?: string }[];
  readonly usage: { readonly input_tokens: number; readonly cache_read_input_tokens: number };
}

async function messageTurns(): Promise<Use[]> {
  const text = (said: string) => ({ type: 'text', text: said });
  const tools = [{ ...about, input_schema: parameters }];
  const messages: Body[] = [
    { role: 'user', content: [text(date), text(questions[0] ?? '')] },
    { role: 'system', content: 'These agents are there: none.' },
  ];
  const uses: Use[] = [];
  for (const turn of [0, 1, 2]) {
    const header = `x-anthropic-billing-header: cc_version=2.1.197.a${turn}; cc_entrypoint=cli; cch=0${turn};`;
    const { content, usage } = await post<Message>('messages', {
      system: [text(header), text(rules)],
      messages,
      tools,
      max_tokens: turn === 0 ? 60 : 8,
      tool_choice: { type: turn === 0 ? 'any' : 'auto' },
    });
    const { input_tokens: computed, cache_read_input_tokens: cached } = usage;
    uses.push({ promptTokens: computed + cached, cachedTokens: cached });
    const calls = content.filter(({ type }) => type === 'tool_use');
    const results = calls.map(({ id }) => ({ type: 'tool_result', tool_use_id: id, content: result }));
    messages.push(
      { role: 'assistant', content },
      { role: 'user', content: calls.length > 0 ? results : questions[1] },
    );
  }
  return uses;
}

interface Answer {
  readonly output: readonly (Body & { readonly type: string })[];
  readonly usage: {
    readonly input_tokens: number;
    readonly input_tokens_details: { readonly cached_tokens: number };
  };
}

async function responseTurns(): Promise<Use[]> {
  const say = (role: string, said: string) => ({
    type: 'message',
    role,
    content: [{ type: 'input_text', text: said }],
  });
  const tools = [{ type: 'function', ...about, parameters, strict: false }];
  const input: Body[] = [
    say('developer', 'Nothing is in a sandbox.'),
    say('user', date),
    say('user', questions[0] ?? ''),
  ];
  const uses: Use[] = [];
  for (const turn of [0, 1, 2]) {
    const options = { max_output_tokens: turn === 0 ? 60 : 8, tool_choice: turn === 0 ? 'required' : 'auto' };
    const { output, usage } = await post<Answer>('responses', {
      instructions: rules,
      input,
      tools,
      store: false,
      ...options,
    });
    uses.push({ promptTokens: usage.input_tokens, cachedTokens: usage.input_tokens_details.cached_tokens });
    const calls = output.filter(({ type }) => type === 'function_call');
    const results = calls.map(({ call_id }) => ({ type: 'function_call_output', call_id, output: result }));
    input.push(...output, ...(calls.length > 0 ? results : [say('user', questions[1] ?? '')]));
  }
  return uses;
}

const agents: readonly [name: string, turns: () => Promise<Use[]>][] = [
  ['Codex', responseTurns],
  ['Claude Code, whose first line changes', messageTurns],
  [
    'opencode, which has titles written',
    () => completionTurns(() => ({ messages: [{ role: 'system', content: 'Write a title.' }, { role: 'user', content: 'It.' }] })),
  ],
  [
    'Qwen Code, which has memories written',
    () =>
      completionTurns((messages) => ({
        messages: [{ role: 'system', content: 'Keep memories.' }, ...messages.slice(1), { role: 'user', content: rules }],
      })),
  ],
]; // prettier-ignore

it.for(agents)('computes of the turns of %s what is new, and at most 64 tokens more', async ([, turns]) => {
  const uses = await turns();
  expect(uses[0]?.promptTokens).toBeGreaterThan(250);
  for (const [index, { promptTokens, cachedTokens }] of uses.entries()) {
    const before = uses[index - 1];
    if (before === undefined) continue;
    expect(promptTokens).toBeGreaterThan(before.promptTokens);
    expect(promptTokens - cachedTokens).toBeLessThanOrEqual(promptTokens - before.promptTokens + 64);
  }
});

/** Messages that Claude Code 2.1.332 adds in turn `turn`: thoughts, one call or two, and its own text. */
function claudeTurn(turn: number): readonly Body[] {
  const calls = Array.from({ length: turn % 3 === 0 ? 2 : 1 }, (_, index) => `toolu_${turn}_${index}`);
  const results = calls.map((id) => ({ type: 'tool_result', tool_use_id: id, content: `1\t${id}\n2\t` }));
  const reminder = "The user hasn't heard from you in a while.";
  return [
    {
      role: 'assistant',
      content: [
        { type: 'thinking', thinking: `I look at file ${turn}.`, signature: 'c2ln' },
        ...calls.map((id) => ({
          type: 'tool_use',
          id,
          name: 'Read',
          input: { file_path: `/home/me/${id}` },
        })),
      ],
    },
    { role: 'user', content: turn % 4 === 0 ? results.toReversed() : results },
    ...(turn % 5 === 0 ? [{ role: 'system', content: reminder }] : []),
  ];
}

it.runIf(hasGit)(
  'computes over 30 tool turns of Claude Code what is new, with a system message in the middle',
  async () => {
    const messages: Body[] = [...recorded.turns['the first turn']];
    let computed = 0;
    let total = 0;
    for (let turn = 1; turn <= 30; turn++) {
      const { usage } = await post<Message>('messages?beta=true', {
        ...recorded.shared,
        system: [
          {
            type: 'text',
            text: `x-anthropic-billing-header: cc_version=2.1.332.${turn}; cc_entrypoint=cli;`,
          },
          ...recorded.shared.system.slice(1),
        ],
        model: hybrid,
        messages,
        stream: false,
        max_tokens: 4,
      });
      computed += usage.input_tokens;
      total = usage.input_tokens + usage.cache_read_input_tokens;
      messages.push(...claudeTurn(turn));
    }
    expect(total).toBeGreaterThan(3000);
    expect(computed).toBeLessThanOrEqual(1.1 * total);
  },
);
