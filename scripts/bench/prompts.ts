/**
 * Prints how long it takes to render a conversation with tools, to compile the grammar of its tools, and to read an
 * answer of 50,000 tokens, for some chat templates of llama.cpp's source. With several checkouts, they take turns in each
 * round; the median of all rounds counts, in milliseconds of CPU time, one column for each checkout.
 */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { bundledTemplates, openTemplateEngine } from '../../test/support/models/templates.ts';
import { createTemplateRenderer } from '../../src/engine/llama/template-engine.ts';
import type * as chatTemplate from '../../src/engine/prompt/chat-template.ts';
import type * as constrained from '../../src/engine/prompt/constrain-answer.ts';
import type * as schemas from '../../src/grammar/compile-schema.ts';
import type * as turnPlan from '../../src/engine/prompt/turn-plan.ts';
import type * as turnReader from '../../src/engine/prompt/turn-reader.ts';
import type { GenerationRequest, JsonObject, ToolDefinition } from '../../src/engine/types.ts';
import { quantile } from '../../src/cli/bench/statistics.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    help: { type: 'boolean', default: false },
    rounds: { type: 'string', default: '7' },
    tools: { type: 'string', default: '146' },
    templates: { type: 'string', default: 'Qwen3-Coder,MiniMax-M3,Qwen-Qwen3-0.6B,google-gemma-4-31B-it' },
  },
});
if (values.help) {
  console.log(
    'node scripts/bench/prompts.ts [--rounds 7] [--tools 146] [--templates NAME,…] [CHECKOUT …]\n\n' +
      'How long prompts, grammars and answers with tools take, in each CHECKOUT (default: this one) in turns.',
  );
  process.exit();
}
const here = path.resolve(import.meta.dirname, '../..');
const rounds = Number(values.rounds);
/** Tokens of an answer in prose and in a call, about 4 characters each. */
const answerTokens = 50_000;

/** Schemas that people wrote, as those of tools: of agents, then such as both checkouts take for each template. */
function someSchemas(): JsonObject[] {
  const folder = path.join(here, 'test/unit/grammar/schemas');
  const recorded = path.join(here, 'test/support/wire/claude-code-requests.json');
  const { shared } = JSON.parse(readFileSync(recorded, 'utf8')) as { shared?: { tools?: JsonObject[] } };
  const ofAgents = (shared?.tools ?? []).map((tool) => tool['input_schema'] as JsonObject);
  const lines = readdirSync(folder).flatMap((file) =>
    readFileSync(path.join(folder, file), 'utf8').split('\n'),
  );
  const small = lines.filter((line) => line !== '' && line.length < 600);
  const schemas = small.map((line) => (JSON.parse(line) as { schema: JsonObject }).schema);
  return [...ofAgents, ...schemas].filter(({ type, properties }) => type === 'object' && properties);
}

type Checkout = Awaited<ReturnType<typeof openCheckout>>;

async function openCheckout(folder: string) {
  const load = <T>(file: string) => import(pathToFileURL(path.join(folder, 'src', file)).href) as Promise<T>;
  return {
    ...(await load<typeof chatTemplate>('engine/prompt/chat-template.ts')),
    ...(await load<typeof constrained>('engine/prompt/constrain-answer.ts')),
    ...(await load<typeof schemas>('grammar/compile-schema.ts')),
    ...(await load<typeof turnPlan>('engine/prompt/turn-plan.ts')),
    ...(await load<typeof turnReader>('engine/prompt/turn-reader.ts')),
  };
}

const messages = [
  { role: 'system', content: 'Help.' },
  { role: 'user', content: 'Find it.' },
] as const;
const requestWith = (definitions: readonly ToolDefinition[]) =>
  ({
    prompt: { kind: 'messages', messages },
    tools: { definitions, required: false, parallel: true },
    reasoning: { enabled: false },
  }) as unknown as GenerationRequest;

/** A checkout with one template. */
class Subject {
  readonly #checkout: Checkout;
  readonly #template: InstanceType<Checkout['ChatTemplate']>;

  constructor(checkout: Checkout, render: (items: Record<string, unknown>) => string, source: string) {
    this.#checkout = checkout;
    this.#template = new checkout.ChatTemplate({ render, source, bosText: '<s>', eosText: '</s>' });
  }

  render(tools: readonly ToolDefinition[]): void {
    this.#template.renderPrompt({ messages, tools });
  }

  compile(tools: readonly ToolDefinition[]): void {
    const { constrainAnswer, demandOf, compileSchema: compile } = this.#checkout;
    const demand = demandOf(requestWith(tools), this.#template.facts, false);
    if (demand !== undefined) constrainAnswer(demand, { compile, onSchema: () => {} });
  }

  /** The turn of a call with a long text, as the template shows it. */
  writtenCall(tools: readonly ToolDefinition[]): string {
    const toolCalls = [
      { id: 'call00000', name: tools[0]?.name ?? '', arguments: JSON.stringify({ text: prose }) },
    ];
    const asked = [...messages, { role: 'assistant', content: '', toolCalls }] as const;
    const { text } = this.#template.renderPrompt({ messages: asked, tools });
    return text.slice(
      text.indexOf(this.#template.facts.toolSyntax.triggers[0]?.text ?? '', text.lastIndexOf('Find it.')),
    );
  }

  /** Whether it takes a tool at all: some versions refuse some. */
  takes(tool: ToolDefinition): boolean {
    try {
      this.compile([tool]);
      return true;
    } catch {
      return false;
    }
  }

  read(tools: readonly ToolDefinition[], text: string): void {
    const { planTurn, TurnReader } = this.#checkout;
    const plan = planTurn(requestWith(tools), this.#template.facts, false, undefined);
    if (plan === undefined) throw new Error('nothing is planned');
    const reader = new TurnReader(plan.reader);
    for (let at = 0; at < text.length; at += charsPerToken) reader.push(text.slice(at, at + charsPerToken));
    reader.finish();
  }
}

const charsPerToken = 4;
const line = 'The file holds a list, and each line is a < b.\n';
const prose = line.repeat((answerTokens * charsPerToken) / line.length);

/** The parts of the work of one request. */
const tasks: Readonly<
  Record<string, (subject: Subject, tools: readonly ToolDefinition[], call: string) => void>
> = {
  render: (subject, tools) => subject.render(tools),
  compile: (subject, tools) => subject.compile(tools),
  'read prose': (subject, tools) => subject.read(tools, prose),
  'read a call': (subject, tools, call) => subject.read(tools, call),
};

const engine = await openTemplateEngine();
const sources = bundledTemplates();
const folders = positionals.length === 0 ? [here] : positionals.map((folder) => path.resolve(folder));
const checkouts = await Promise.all(folders.map(openCheckout));
const columns = (name: string, task: string, figures: readonly string[]) =>
  console.log([name.padEnd(24), task.padEnd(12), ...figures.map((figure) => figure.padStart(12))].join(' '));
columns(
  'template',
  'task',
  folders.map((folder) => path.basename(folder)),
);
for (const name of values.templates.split(',')) {
  const source = sources.get(name);
  if (source === undefined) throw new Error(`there is no template ${name}`);
  const render = createTemplateRenderer(engine, source);
  const subjects = checkouts.map((checkout) => new Subject(checkout, render, source));
  const taken = someSchemas().filter((parameters) =>
    subjects.every((subject) => subject.takes({ name: 'f', parameters })),
  );
  const tools = Array.from({ length: Number(values.tools) }, (_, at) => ({
    name: `tool_${at}`,
    description: 'Does something.',
    parameters: taken[at % taken.length] ?? {},
  }));
  const call = subjects[0]?.writtenCall(tools) ?? '';
  for (const [task, run] of Object.entries(tasks)) {
    const times = subjects.map((): number[] => []);
    for (let round = 0; round <= rounds; round++)
      for (const [at, subject] of subjects.entries()) {
        const startedAt = process.cpuUsage();
        run(subject, tools, call);
        // The first round is for the compiler of JavaScript.
        if (round > 0) times[at]?.push(process.cpuUsage(startedAt).user / 1000);
      }
    columns(
      name,
      task,
      times.map((list) => (quantile(list, 0.5) ?? 0).toFixed(1)),
    );
  }
}
