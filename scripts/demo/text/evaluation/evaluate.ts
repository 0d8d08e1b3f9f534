import { parseArgs } from 'node:util';
import type OpenAI from 'openai';
import type { ChatCompletion } from 'openai/resources/chat/completions';
import { prolong } from '../corpus/prolonged.ts';
import { Choices } from '../corpus/text/choices.ts';
import type { Answer, EvaluationCase } from './case.ts';
import { allCases, blindCases } from './held-out.ts';
import { withOwnServer } from './with-own-server.ts';
import { toWireMessages, toWireTools } from './to-wire.ts';

const help = `Asks the demo model the held-out prompts through a hearth of its own and prints the score of each group.

Usage: npm run demo:eval -- [text] [options]

  --model FILE       GGUF to ask (models/hearth-demo.gguf)
  --failures         print what went wrong
  --group NAME       only this group
  --temperature X    0 is greedy, the default
  --prolonged        ask behind much else: earlier talk or a long system prompt, of 130 to 1,600 tokens
`;

/** Longer than any good answer; who reaches it did not end its turn. */
const maxAnswerTokens = 300;

interface Outcome {
  readonly case: EvaluationCase;
  readonly answer: Answer;
  readonly isRight: boolean;
  readonly hasEnded: boolean;
}

const { values } = parseArgs({
  options: {
    model: { type: 'string', default: 'models/hearth-demo.gguf' },
    failures: { type: 'boolean', default: false },
    group: { type: 'string' },
    temperature: { type: 'string', default: '0' },
    prolonged: { type: 'boolean', default: false },
    help: { type: 'boolean' },
  },
});

if (values.help === true) process.stdout.write(help);
else {
  const choices = new Choices(1);
  const cases = allCases
    .filter(({ group }) => group === (values.group ?? group))
    .map((each) => (values.prolonged ? { ...each, ...prolong(choices, each) } : each));
  await withOwnServer({ 'hearth-demo.gguf': values.model }, async (client) =>
    report(await askAll(client, cases)),
  );
}

/** Eight at a time, so that they are decoded together. */
async function askAll(client: OpenAI, cases: readonly EvaluationCase[]): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  const waiting = cases.values();
  await Promise.all(
    Array.from({ length: 8 }, async () => {
      for (const each of waiting) outcomes.push(await ask(client, each));
    }),
  );
  return outcomes;
}

async function ask(client: OpenAI, each: EvaluationCase): Promise<Outcome> {
  const completion = await client.chat.completions.create({
    model: each.thinking === true ? 'hearth-demo-r' : 'hearth-demo',
    messages: toWireMessages(each.messages),
    max_tokens: maxAnswerTokens,
    temperature: Number(values.temperature),
    seed: 1,
    ...(each.tools === undefined ? {} : { tools: toWireTools(each.tools) }),
    ...(each.jsonSchema === undefined
      ? {}
      : {
          response_format: { type: 'json_schema', json_schema: { name: 'answer', schema: each.jsonSchema } },
        }),
  });
  const hasEnded = completion.choices[0]?.finish_reason !== 'length';
  const answer = toAnswer(completion, hasEnded);
  return { case: each, answer, isRight: hasEnded && each.accepts(answer), hasEnded };
}

/** Calls of a turn that was cut are left out: their arguments are not whole. */
function toAnswer(completion: ChatCompletion, hasEnded: boolean): Answer {
  const message: (ChatCompletion.Choice['message'] & { reasoning_content?: string | null }) | undefined =
    completion.choices[0]?.message;
  return {
    text: message?.content ?? '',
    thought: message?.reasoning_content ?? '',
    toolCalls: ((hasEnded && message?.tool_calls) || []).flatMap((call) =>
      call.type === 'function'
        ? [
            {
              name: call.function.name,
              arguments: JSON.parse(call.function.arguments) as Record<string, unknown>,
            },
          ]
        : [],
    ),
  };
}

function report(outcomes: readonly Outcome[]): void {
  if (values.failures) outcomes.filter(({ isRight }) => !isRight).forEach(describeFailure);
  const share = (part: number, all: number): string => `${((100 * part) / Math.max(1, all)).toFixed(0)} %`;
  const row = (name: string, of: readonly Outcome[]): void => {
    const right = of.filter(({ isRight }) => isRight).length;
    const ended = of.filter(({ hasEnded }) => hasEnded).length;
    console.log(
      `| ${name} | ${of.length} | ${right} | ${share(right, of.length)} | ${share(ended, of.length)} |`,
    );
  };
  console.log(
    '| group | prompts | right | score | turns that ended by themselves |\n| --- | --- | --- | --- | --- |',
  );
  for (const group of new Set(outcomes.map((outcome) => outcome.case.group)))
    row(
      group,
      outcomes.filter((outcome) => outcome.case.group === group),
    );
  row('all', outcomes);
  row(
    'blind alone',
    outcomes.filter((outcome) => blindCases.some(({ accepts }) => accepts === outcome.case.accepts)),
  );
}

function describeFailure({ case: { group, messages, tools }, answer }: Outcome): void {
  const asked = messages.map(({ role, content }) => `${role}: ${content}`).join(' | ');
  const offered = tools === undefined ? '' : ` [${tools.map(({ name }) => name).join(', ')}]`;
  console.log(`${group}: ${asked}${offered}\n   -> ${JSON.stringify(answer)}`);
}
