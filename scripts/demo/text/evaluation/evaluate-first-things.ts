import { parseArgs } from 'node:util';
import type OpenAI from 'openai';
import type { ChatCompletionMessageParam } from 'openai/resources/chat/completions';
import type { Tool } from '../conversation.ts';
import { firstThings, firstThingSets, type FirstThing } from './first-things.ts';
import { tool } from './judge.ts';
import { judgeFirstThing, type Verdict } from './judge-first-thing.ts';
import { toWireTools } from './to-wire.ts';
import { withOwnServer } from './with-own-server.ts';

const help = `Asks the demo model what people type first, through a hearth of its own, and prints what each of the three sets of
prompts got: sensible, graceful or nonsense, as first-things/README.md has it.

Usage: npm run demo:eval -- first [options]

  --model FILE       GGUF to ask (models/hearth-demo.gguf)
  --failures         print each answer that is not sensible
  --all              print every answer
`;

const maxAnswerTokens = 200;

const { values } = parseArgs({
  options: {
    model: { type: 'string', default: 'models/hearth-demo.gguf' },
    failures: { type: 'boolean', default: false },
    all: { type: 'boolean', default: false },
    help: { type: 'boolean' },
  },
});

interface Judged {
  readonly thing: FirstThing;
  readonly answer: string;
  readonly verdict: Verdict;
}

const tools: Readonly<Record<string, Tool>> = {
  get_weather: tool('get_weather', 'Get the weather in a city.', { city: 'string' }),
  set_alarm: tool('set_alarm', 'Set an alarm for a time.', { time: 'string' }),
  search_web: tool('search_web', 'Search the web.', { query: 'string' }),
  send_email: tool('send_email', 'Send an email.', { to: 'string', text: 'string' }),
  get_time: tool('get_time', 'Get the time in a city.', { city: 'string' }),
};

if (values.help === true) process.stdout.write(help);
else
  await withOwnServer({ 'hearth-demo.gguf': values.model }, async (client) => report(await askAll(client)));

/** Eight at a time, so that they are decoded together; in the order of the sets. */
async function askAll(client: OpenAI): Promise<Judged[]> {
  const judged: Judged[] = [];
  const waiting = firstThings.entries();
  await Promise.all(
    Array.from({ length: 8 }, async () => {
      for (const [index, thing] of waiting) judged[index] = await converse(client, thing);
    }),
  );
  return judged;
}

/** The turns one after the other, each answer kept; the last answer is judged. */
async function converse(client: OpenAI, thing: FirstThing): Promise<Judged> {
  const messages: ChatCompletionMessageParam[] =
    thing.system === undefined ? [] : [{ role: 'system', content: thing.system }];
  const offered = thing.tools.flatMap((name) => tools[name] ?? []);
  let answer = '';
  let hasEnded = false;
  for (const content of thing.turns) {
    messages.push({ role: 'user', content });
    const completion = await client.chat.completions.create({
      model: 'hearth-demo',
      messages,
      max_tokens: maxAnswerTokens,
      temperature: 0,
      ...(offered.length > 0 && { tools: toWireTools(offered) }),
    });
    const [choice] = completion.choices;
    const called = (choice?.message.tool_calls ?? []).flatMap((call) =>
      call.type === 'function' ? [`CALL ${call.function.name} ${call.function.arguments}`] : [],
    );
    answer = [choice?.message.content ?? '', ...called].join(' ').trim();
    hasEnded = choice?.finish_reason !== 'length';
    messages.push({ role: 'assistant', content: answer });
  }
  return { thing, answer, verdict: hasEnded ? judgeFirstThing(thing, answer) : 'nonsense' };
}

function report(judged: readonly Judged[]): void {
  for (const { thing, answer, verdict } of judged)
    if (values.all || (values.failures && verdict !== 'sensible'))
      console.log(`${thing.set} ${verdict}: ${thing.turns.join(' || ')}\n   -> ${JSON.stringify(answer)}`);
  console.log(
    '| first things of | prompts | sensible | graceful | nonsense |\n| --- | --- | --- | --- | --- |',
  );
  for (const set of firstThingSets)
    row(
      set,
      judged.filter(({ thing }) => thing.set === set),
    );
  row('all', judged);
}

function row(name: string, of: readonly Judged[]): void {
  const share = (verdict: Verdict): string =>
    `${((100 * of.filter((each) => each.verdict === verdict).length) / of.length).toFixed(0)} %`;
  console.log(
    `| ${name} | ${of.length} | ${share('sensible')} | ${share('graceful')} | ${share('nonsense')} |`,
  );
}
