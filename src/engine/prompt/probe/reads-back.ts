import { isDeepStrictEqual } from 'node:util';
import type { JsonObject } from '../../types.ts';
import type { TemplateFacts } from '../template/template-facts.ts';
import { commonBeginning } from '../text/text-cuts.ts';
import { withoutEmptyThought } from '../thoughts/thought-tags.ts';
import { parseArguments } from '../tools/schema/call-arguments.ts';
import { toTemplateTool } from '../tools/template-tools.ts';
import { spelledId, syntaxMarkers, type ToolSyntax } from '../tools/tool-syntax.ts';
import { TurnReader } from '../turn-reader.ts';
import { withoutTurnEnd } from './rendered-calls.ts';
import { callMessage, userMessage, type ProbeCall, type TemplateProbe } from './template-probe.ts';

type ReadingFacts = Pick<TemplateFacts, 'calls' | 'toolSyntax' | 'thoughts' | 'answer'>;

interface Turn {
  readonly text?: string;
  readonly reasoning?: string;
  readonly calls?: readonly Pick<ProbeCall, 'name' | 'arguments'>[];
}

/**
 * Whether the calls that a template writes, and its answers beside tools, are read back as they were: with other names
 * and values than those from which the syntax was derived.
 */
export function readsCallsBack(
  probe: TemplateProbe,
  facts: ReadingFacts,
  turnEnds: readonly string[],
): boolean {
  const { calls, toolSyntax } = facts;
  if (calls === undefined) return true;
  const odd = lookAlike(syntaxMarkers(toolSyntax));
  const made = madeUpCalls(odd, toolSyntax);
  const tools = made.map(({ name }) => toolNamed(name));
  const turns = toolSyntax.parallel ? [made.slice(1), made.slice(0, 1)] : made.map((call) => [call]);
  const text = `${odd}: mirelo tavuk`;
  const isRead = (message: object, turn: Turn) =>
    isReadBack(writtenTurn(probe, message, turnEnds, facts, { tools }), turn, facts, tools);
  return (
    turns.every((called) => isRead(callMessage(called, calls.form, calls.emptyContent), { calls: called })) &&
    isRead({ role: 'assistant', content: text }, { text })
  );
}

/** Whether a thought and the answer behind it are told apart in the template's text. */
export function readsThoughtsBack(
  probe: TemplateProbe,
  facts: ReadingFacts,
  turnEnds: readonly string[],
): boolean {
  const { thoughts } = facts;
  if (thoughts?.field === undefined || thoughts.field === 'content') return true;
  const [reasoning, text] = ['varelo muntic\nposafi drenu', 'oskarel: bintu halvor'];
  const message = { role: 'assistant', content: text, [thoughts.field]: reasoning };
  const written = writtenTurn(probe, message, turnEnds, facts, { ...thoughts.switch?.on });
  // A template may leave thoughts out.
  return !written?.text.includes(reasoning) || isReadBack(written, { text, reasoning }, facts, []);
}

/** The text that the model would have written for a message, up to the token that ends the turn. */
function writtenTurn(
  probe: TemplateProbe,
  message: object,
  turnEnds: readonly string[],
  { thoughts }: ReadingFacts,
  items: Record<string, unknown>,
) {
  const prompt = probe.try([userMessage], { ...items, add_generation_prompt: true });
  const whole = probe.try([userMessage, message], items);
  if (prompt === undefined || whole === undefined) return undefined;
  const shared = commonBeginning(whole, prompt);
  const text = withoutTurnEnd(whole.slice(shared.length), turnEnds);
  const tags = thoughts?.syntax.kind === 'tags' ? thoughts.syntax.tags : undefined;
  // A template may open a thought and write an answer without one behind that, which no model would.
  const isOpen = tags !== undefined && prompt.trimEnd().endsWith(tags.begin) && text.includes(tags.end);
  // Or it may leave the opening out where it shows the thought.
  const startsInThought = isOpen && (shared === prompt || prompt.slice(shared.length).trim() === tags.begin);
  if (shared === prompt || startsInThought) return { text, startsInThought };
  return { text: withoutEmptyThought(text, tags), startsInThought: false };
}

/** Whether `written` is read as `turn`, apart from white space at the edges; true as well where nothing was written. */
function isReadBack(
  written: ReturnType<typeof writtenTurn>,
  { text = '', reasoning = '', calls = [] }: Turn,
  { thoughts, answer, toolSyntax: syntax }: ReadingFacts,
  tools: readonly ReturnType<typeof toolNamed>[],
): boolean {
  if (written === undefined) return true;
  const { startsInThought } = written;
  const reader = new TurnReader({
    thought: { syntax: thoughts?.syntax, startsInThought, answer },
    calls: { syntax, tools: tools.map((tool) => tool.function) },
  });
  const said = { text: '', reasoning: '' };
  const read: { name: string; json: string }[] = [];
  for (const event of [...reader.push(written.text), ...reader.finish()]) {
    const call = read.at(-1);
    if (event.type === 'tool-call') read.push({ name: event.name, json: '' });
    else if (event.type !== 'tool-arguments') said[event.type] += event.text;
    else if (call) call.json += event.text;
  }
  return isDeepStrictEqual(
    [said.text.trim(), said.reasoning.trim(), read.map(({ name, json }) => [name, parseArguments(json)])],
    [text, reasoning, calls.map((call) => [call.name, call.arguments])],
  );
}

function toolNamed(name: string) {
  const properties: JsonObject = {
    text: { type: 'string', description: 'text' },
    flag: { type: 'boolean', description: 'text' },
    count: { type: 'number', description: 'text' },
    item: { type: 'object', description: 'text', properties: {} },
    list: { type: 'array', description: 'text', items: {} },
  };
  const parameters: JsonObject = { type: 'object', properties, required: [] };
  return toTemplateTool({ name, description: 'text', parameters }, 'whole');
}

function madeUpCalls(odd: string, syntax: ToolSyntax): ProbeCall[] {
  const values: readonly JsonObject[] = [
    { text: odd, flag: true, count: 618.375 },
    { text: 'gelvora\n"puntik" < sarofe', flag: false, count: -47 },
    {
      text: 'druvel onkasi',
      item: { lofane: 'merik tulosa', quiven: { hasturo: [true, 3] } },
      list: ['bremol', 7, { vintaro: false }],
    },
  ];
  return values.map((value, index) => {
    const name = ['kovira_plest4', 'sandu_merolk7', 'tefino_grav2'][index] ?? '';
    return { name, id: spelledId(syntax, name, index) ?? `hexamole${index}`, arguments: value };
  });
}

/** Text with the letters of `markers`, and the beginnings of some, but none of them whole. */
function lookAlike(markers: readonly string[]): string {
  const words = markers.flatMap((marker) => marker.match(/\w{2,}/g) ?? []);
  return ['all', 'wendoli', ...[...new Set(words)].slice(0, 8), 'is', 'farkuno'].join(' ');
}
