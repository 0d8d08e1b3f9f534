import type { ToolCall } from '../conversation.ts';
import type { Choices } from './choices.ts';
import { drawArguments, sayVerb } from './tool-plan.ts';
import type { PlannedParameter, ToolPlan } from './tool-plan.ts';
import type { Value } from './values.ts';
import { capitalize } from './wording.ts';

/** What the user says, and the calls it asks for. */
export interface ToolRequest {
  readonly text: string;
  readonly calls: readonly ToolCall[];
}

type Arguments = Readonly<Record<string, Value>>;

/** A question or order that one call of this tool answers; `explicit` ones name the tool itself. */
export function writeToolRequest(
  choices: Choices,
  plan: ToolPlan,
  options = { explicit: true },
): ToolRequest {
  const values = drawArguments(choices, plan);
  const calls = [{ name: plan.tool.name, arguments: values }];
  if (options.explicit && choices.chance(0.08)) return { text: nameTheTool(choices, plan, values), calls };
  const { wording } = plan;
  if (wording.kind === 'familiar' && choices.chance(0.6)) {
    return { text: fill(choices, choices.pick(wording.questions), plan, values), calls };
  }
  if (wording.kind === 'composed' && wording.lookup && choices.chance(0.6)) {
    return { text: askFor(choices, `the ${wording.noun}${phrases(choices, plan, values)}`), calls };
  }
  return { text: order(choices, clause(choices, plan, values)), calls };
}

/** A wish for two calls: of the same tool with other values, or of two tools. */
export function writeDoubleRequest(choices: Choices, first: ToolPlan, second: ToolPlan): ToolRequest {
  const ones = drawArguments(choices, first);
  const others = drawArguments(choices, second);
  const calls = [
    { name: first.tool.name, arguments: ones },
    { name: second.tool.name, arguments: others },
  ];
  const { wording } = first;
  if (first === second && wording.kind === 'composed') {
    const both = `${wording.noun}${phrases(choices, first, ones)} and${phrases(choices, first, others)}`;
    if (wording.lookup && choices.chance(0.6)) return { text: askFor(choices, `the ${both}`), calls };
    return { text: order(choices, `${sayVerb(choices.pick(wording.verbs))} the ${both}`), calls };
  }
  if (choices.chance(0.5)) {
    const joint = choices.pick([' and ', ' and then ', ' and also ', ' and ']);
    return {
      text: order(choices, clause(choices, first, ones) + joint + clause(choices, second, others)),
      calls,
    };
  }
  return {
    text: `${order(choices, clause(choices, first, ones))} ${choices.pick(['And', 'Also', 'Then'])} ${clause(choices, second, others)}.`,
    calls,
  };
}

function nameTheTool(choices: Choices, plan: ToolPlan, values: Arguments): string {
  const given = Object.entries(values).map(([key, value]) =>
    choices.chance(0.3) && typeof value === 'string' ? `${key} '${value}'` : `${key} ${value}`,
  );
  const start = choices.pick(['Call', 'call', 'Use', 'Please call', 'Run', 'Please use', 'Use the tool']);
  return `${start} ${plan.tool.name}${given.length === 0 ? '' : ` with ${given.join(' and ')}`}${choices.pick(['', '.'])}`;
}

function clause(choices: Choices, plan: ToolPlan, values: Arguments): string {
  const { wording } = plan;
  if (wording.kind === 'familiar') return fill(choices, choices.pick(wording.clauses), plan, values);
  const article = choices.pick(wording.lookup ? ['the', 'me the', 'the'] : ['a', 'the', 'my', 'the']);
  const fitting =
    article === 'me the' ? choices.pick(['show', 'get', 'find']) : sayVerb(choices.pick(wording.verbs));
  const text = `${fitting} ${article} ${wording.noun}${phrases(choices, plan, values)}`;
  return text.replace(/ a ([aeiou])/gu, ' an $1');
}

/** The values in a row, each with its preposition, in an order that need not be that of the parameters. */
function phrases(choices: Choices, plan: ToolPlan, values: Arguments): string {
  const given = plan.parameters.filter(({ key }) => key in values);
  const ordered = choices.chance(0.65) ? given : choices.shuffle(given);
  return ordered.map((parameter) => ` ${sayValue(choices, parameter, values)}`).join('');
}

function sayValue(choices: Choices, { key, slot }: PlannedParameter, values: Arguments): string {
  const phrase = choices.pick(slot.phrases);
  return phrase.replace('{key}', key.replaceAll('_', ' ')).replace('{}', String(values[key]));
}

function fill(choices: Choices, template: string, plan: ToolPlan, values: Arguments): string {
  let text = template;
  const left: PlannedParameter[] = [];
  for (const parameter of plan.parameters) {
    const gap = `{${parameter.key}}`;
    if (text.includes(gap)) text = text.replace(gap, String(values[parameter.key]));
    else if (parameter.key in values) left.push(parameter);
  }
  const more = left.map((parameter) => ` ${sayValue(choices, parameter, values)}`).join('');
  const mark = /[.?!]$/u.exec(text)?.[0] ?? '';
  return text.slice(0, text.length - mark.length) + more + mark;
}

function order(choices: Choices, text: string): string {
  return choices.weighted([
    [() => `${capitalize(text)}.`, 5],
    [() => text, 2],
    [() => `Please ${text}.`, 4],
    [() => `please ${text}`, 1],
    [() => `Can you ${text}?`, 3],
    [() => `Could you ${text}?`, 2],
    [() => `Could you please ${text}?`, 1],
    [() => `I want you to ${text}.`, 1],
    [() => `I would like you to ${text}.`, 1],
    [() => `Hey, ${text}!`, 1],
    [() => `Hi! Please ${text}.`, 1],
    [() => `${capitalize(text)}, please.`, 2],
  ])();
}

function askFor(choices: Choices, subject: string): string {
  return choices.weighted([
    [() => `What is ${subject}?`, 6],
    [() => `What's ${subject}?`, 3],
    [() => `what is ${subject}`, 1],
    [() => `Tell me ${subject}.`, 3],
    [() => `Can you tell me ${subject}?`, 2],
    [() => `I need ${subject}.`, 2],
    [() => `I need to know ${subject}.`, 1],
    [() => `Do you know ${subject}?`, 1],
    [() => `Give me ${subject}, please.`, 1],
    [() => `Could you look up ${subject}?`, 1],
    [() => `I would like to know ${subject}.`, 1],
    [() => `${capitalize(subject.replace(/^the /u, ''))}?`, 1],
  ])();
}
