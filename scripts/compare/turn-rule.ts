/**
 * Prints for which conversations the chat templates of llama.cpp's source keep the rule of turns: every text is in the
 * prompt once, in the order in which it was said, and the prompt begins with that of each turn before:
 *
 *   node scripts/compare/turn-rule.ts [CHECKOUT …]
 *
 * Of 30 conversations as agents send them: in how many all texts are in place, and in how many each turn stays as it
 * was, for each checkout (default: this one); a refused conversation is neither. Where a template takes something out of
 * the past, as its model learned it, the last column says what: Mistral's tools stand before the last question, and
 * Qwen3.5 and StepFun3.5 drop the thoughts of turns before that, empty ones too. Ends with 1 for any other difference.
 */
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { createTemplateRenderer } from '../../src/engine/llama/template-engine.ts';
import type * as chatTemplate from '../../src/engine/prompt/chat-template.ts';
import type { ChatMessage, ToolDefinition } from '../../src/engine/types.ts';
import { bundledTemplates, openTemplateEngine } from '../../test/support/models/templates.ts';
import {
  earlierTurns,
  misplaced,
  randomConversation,
  saidIn,
} from '../../test/support/prompt/random-conversations.ts';

const here = path.resolve(import.meta.dirname, '../..');
const drawn = 30;
const conversations = Array.from({ length: drawn }, (_, index) => randomConversation(index + 1));
type Render = (messages: readonly ChatMessage[], tools: readonly ToolDefinition[]) => string;

/** In how many conversations the prompts of `render` have all texts in place. */
const inPlace = (render: Render) =>
  conversations.filter(
    ({ messages, tools = [] }) => misplaced(render(messages, tools), messages).length === 0,
  ).length;

/** In how many conversations the prompt of each turn begins with those of the turns before. */
const kept = (render: Render) =>
  conversations.filter(({ messages, tools = [] }) => {
    const whole = render(messages, tools);
    return (
      whole !== '' &&
      earlierTurns(messages).every((earlier) => whole.startsWith(saidIn(render(earlier, tools), earlier)))
    );
  }).length;

/** The parts of the past that templates take out, and the prompts without them. */
function withoutLosses(render: Render, tags: { readonly begin: string; readonly end: string } | undefined) {
  const escaped = [tags?.begin ?? '', tags?.end ?? ''].map((tag) =>
    tag.replaceAll(/[|[\]]/g, String.raw`\$&`),
  );
  const emptyThought = new RegExp(escaped.join(String.raw`\s*`) + String.raw`\s*`, 'g');
  const withoutThoughts: Render = (messages, tools) => render(messages, tools).replaceAll(emptyThought, '');
  return [
    ['', render],
    ['thoughts, also empty ones, of turns before the last question', tags ? withoutThoughts : render],
    ['tools, which stand before the last question', (messages) => render(messages, [])],
  ] satisfies (readonly [string, Render])[];
}

const load = (folder: string) =>
  import(pathToFileURL(path.join(folder, 'src/engine/prompt/chat-template.ts')).href) as Promise<
    typeof chatTemplate
  >;
const engine = await openTemplateEngine();
const folders = process.argv.slice(2).map((folder) => path.resolve(folder));
const checkouts = await Promise.all((folders.length === 0 ? [here] : folders).map(load));
const print = (name: string, figures: readonly string[], why: string) =>
  console.log([name.padEnd(50), ...figures.map((figure) => figure.padEnd(12)), why].join(' ').trimEnd());
print(
  'template',
  folders.map((folder) => path.basename(folder)),
  'taken out of the past',
);

const whole = checkouts.map(() => 0);
let broken = 0;
for (const [name, source] of bundledTemplates()) {
  const renderer = createTemplateRenderer(engine, source);
  let why = '';
  const figures = checkouts.map(({ ChatTemplate }, at) => {
    const template = new ChatTemplate({ render: renderer, source, bosText: '<s>', eosText: '</s>' });
    const render: Render = (messages, tools) => {
      try {
        return template.renderPrompt({ messages, tools }).text;
      } catch {
        return '';
      }
    };
    const { syntax } = template.facts.thoughts ?? {};
    const tags = syntax?.kind === 'tags' ? syntax.tags : undefined;
    const [placed, asTheyWere] = [inPlace(render), kept(render)];
    const isWhole = placed === drawn && asTheyWere === drawn;
    if (isWhole) whole[at] = (whole[at] ?? 0) + 1;
    if (at === checkouts.length - 1) {
      const loss = withoutLosses(render, tags).find(([, rest]) => kept(rest) === drawn);
      why = loss?.[0] ?? 'NOT EXPLAINED';
      if (loss === undefined || placed < drawn) broken++;
    }
    return `${placed} ${asTheyWere}`;
  });
  print(name, figures, why);
}
print(`templates with all ${drawn} of both`, whole.map(String), '');
process.exitCode = broken > 0 ? 1 : 0;
await engine.dispose();
