import type { ReasoningEffort, TemplateVariables } from '../../types.ts';
import {
  endsClosed,
  knownThoughtTags,
  type ThoughtSyntax,
  type ThoughtTags,
} from '../thoughts/thought-tags.ts';
import {
  answerMessage,
  callMessage,
  probeCalls,
  probeTexts,
  probeTools,
  resultMessage,
  userMessage,
  type ArgumentsForm,
  type TemplateProbe,
} from '../probe/template-probe.ts';
import { commonBeginning } from '../text/text-cuts.ts';
import { isOfThinking, optionalNames } from './template-variables.ts';

/** How a model writes its thoughts, as far as its template tells. */
export interface ThoughtFacts {
  readonly syntax: ThoughtSyntax;
  /** Template variables that turn thinking on and off; undefined: the template has none. */
  readonly switch: { readonly on: TemplateVariables; readonly off: TemplateVariables } | undefined;
  /** The template variable for the effort of thinking, and its values for all that it knows; undefined: there is none. */
  readonly effort:
    | { readonly variable: string; readonly values: Readonly<Partial<Record<ReasoningEffort, string>>> }
    | undefined;
  /**
   * The field of an earlier message from which the template takes its thought; `content`: in tags before the answer.
   */
  readonly field: string | undefined;
}

const efforts = ['low', 'medium', 'high'] as const;
/** Efforts that few templates know: those that name them, and show something else for them. */
const rareEfforts = ['minimal', 'xhigh', 'max'] as const;
const fields = ['reasoning_content', 'reasoning', 'thinking', 'thought', 'tool_plan'];
const mostCandidates = 24;
const mostWords = 8;
const longestLine = 500;
const channelMark = '<|channel|>analysis';

/** How the model of this template thinks; undefined when the template shows no thoughts. */
export function readThoughtFacts(probe: TemplateProbe): ThoughtFacts | undefined {
  const { source } = probe.input;
  const optional = optionalNames(source).slice(0, mostCandidates);
  const names = optional.filter(isOfThinking);
  const flags = findFlags(probe, names);
  const found = findField(probe, flags?.on ?? {});
  const channels = source.includes(channelMark) || found?.text.includes(channelMark) === true;
  const tags =
    (found && tagsAround(found.text, probe)) ??
    tagsAtEnd(probe, flags?.on ?? {}) ??
    tagsInSource(source) ??
    tagsOfCuts(probe);
  if (!channels && !tags) return undefined;
  const switched = flags ?? (tags && findModes(probe, optional, tags));
  const on = switched?.on ?? {};
  const effort = findEffort(probe, names, switched);
  const syntax: ThoughtSyntax = channels || !tags ? { kind: 'channels' } : { kind: 'tags', tags };
  const field = found?.field ?? (syntax.kind === 'tags' ? inlineField(probe, syntax.tags, on) : undefined);
  return { syntax, switch: switched, effort, field };
}

/** The variables that are true or false. */
function findFlags(probe: TemplateProbe, names: readonly string[]): ThoughtFacts['switch'] {
  const on: Record<string, boolean> = {};
  const off: Record<string, boolean> = {};
  for (const name of names.filter((candidate) => !candidate.includes('effort'))) {
    const ifTrue = generationPrompt(probe, { [name]: true });
    const ifFalse = generationPrompt(probe, { [name]: false });
    if (ifTrue === undefined || ifFalse === undefined || ifTrue === ifFalse) continue;
    // A template that writes the value into the prompt expects words.
    if (generationPrompt(probe, { [name]: probeTexts.thought })?.includes(probeTexts.thought)) continue;
    const negative = /^(?:no|not|disable|skip|hide|without)_/.test(name);
    on[name] = !negative;
    off[name] = negative;
  }
  return Object.keys(on).length === 0 ? undefined : { on, off };
}

/** The variable that has the prompt end with a thought that is closed already, and its two values. */
function findModes(
  probe: TemplateProbe,
  names: readonly string[],
  tags: ThoughtTags,
): ThoughtFacts['switch'] {
  for (const name of names) {
    // Those about thinking were true and false before.
    const values = isOfThinking(name) ? wordsBeside(name, probe.input.source) : [true, false];
    const prompts = values.flatMap((value) => {
      const prompt = generationPrompt(probe, { [name]: value });
      return prompt === undefined ? [] : { value, prompt };
    });
    const off = prompts.find(({ prompt }) => endsClosed(prompt, tags));
    const open = prompts.filter(({ prompt }) => !endsClosed(prompt, tags));
    const on = open.find(({ prompt }) => prompt.trimEnd().endsWith(tags.begin)) ?? open[0];
    if (off && on) return { on: { [name]: on.value }, off: { [name]: off.value } };
  }
  return undefined;
}

/** The words in quotes in the lines of `source` that name a variable, and the usual effort. */
function wordsBeside(name: string, source: string): string[] {
  const lines = source.split('\n').filter((line) => line.length < longestLine && line.includes(name));
  const words = lines.flatMap((line) => line.match(/(?<=['"])[a-z][a-z_]{1,15}(?=['"])/g) ?? []);
  return [...new Set(['high', ...words])].slice(0, mostWords);
}

/** The variable by whose words prompts differ. Where a template does not take `medium`, that means `high`. */
function findEffort(
  probe: TemplateProbe,
  names: readonly string[],
  switched: ThoughtFacts['switch'],
): ThoughtFacts['effort'] {
  for (const variable of names.filter((name) => typeof switched?.on[name] !== 'boolean')) {
    const promptFor = (effort: string) =>
      effort === switched?.off[variable]
        ? undefined
        : generationPrompt(probe, { ...switched?.on, [variable]: effort });
    const [low, medium, high] = efforts.map(promptFor);
    if (low === undefined || high === undefined) continue;
    const rare = rareEfforts.filter((effort) => {
      const prompt = new RegExp(`['"]${effort}['"]`).test(probe.input.source) ? promptFor(effort) : undefined;
      return prompt !== undefined && prompt !== high;
    });
    if (low === high && rare.length === 0) continue;
    const known = { low: 'low', medium: medium === undefined ? 'high' : 'medium', high: 'high' };
    return { variable, values: { ...known, ...Object.fromEntries(rare.map((effort) => [effort, effort])) } };
  }
  return undefined;
}

const generationPrompt = (probe: TemplateProbe, items: Record<string, unknown>) =>
  probe.try([userMessage], { ...items, add_generation_prompt: true });

/** The field whose text reaches the prompt as a thought, with the prompt in which it did. */
function findField(probe: TemplateProbe, on: TemplateVariables) {
  const [call] = probeCalls;
  for (const field of fields.filter((name) => probe.input.source.includes(name))) {
    const thinking = { [field]: probeTexts.thought };
    const answered = { ...answerMessage, ...thinking };
    const called = (form: ArgumentsForm) => [
      userMessage,
      { ...callMessage([call], form, ''), ...thinking },
      resultMessage(call),
    ];
    const conversations = [called('object'), called('string'), [userMessage, answered]];
    for (const messages of [...conversations, [userMessage, answered, userMessage]]) {
      const text = probe.try(messages, { ...on, tools: probeTools, add_generation_prompt: true });
      if (text?.includes(probeTexts.thought)) return { field, text };
    }
  }
  return undefined;
}

/** `content` where the template keeps a thought before the latest answer and cuts it off earlier ones. */
function inlineField(probe: TemplateProbe, tags: ThoughtTags, on: TemplateVariables): string | undefined {
  const [call] = probeCalls;
  const thinking = {
    ...answerMessage,
    content: `${tags.begin}\n${probeTexts.thought}\n${tags.end}\n\n${probeTexts.answer}`,
  };
  const items = { ...on, add_generation_prompt: true };
  const latest = probe.try([userMessage, thinking, resultMessage(call)], items);
  const earlier = probe.try([userMessage, thinking, userMessage], items);
  const kept = latest?.includes(probeTexts.thought) === true;
  return kept && earlier !== undefined && !earlier.includes(probeTexts.thought) ? 'content' : undefined;
}

function tagsAround(text: string, probe: TemplateProbe): ThoughtTags | undefined {
  const at = text.indexOf(probeTexts.thought);
  const before = text.slice(0, at).trimEnd();
  const after = text.slice(at + probeTexts.thought.length).trimStart();
  const known = knownThoughtTags.find(({ begin, end }) => before.endsWith(begin) && after.startsWith(end));
  if (known) return known;
  const begin = /(?:<[^<>\s]+>|\[[A-Z_]+\])\w*$/.exec(before)?.[0];
  const end = /^(?:<[^<>\s]+>|\[\/?[A-Z_]+\])/.exec(after)?.[0];
  // Each message may begin with a word behind a marker, which names its role.
  if (begin === undefined || end === undefined) return undefined;
  const isRole = /\w$/.test(begin) && probe.try([userMessage, answerMessage])?.includes(begin) === true;
  return isRole ? undefined : { begin, end };
}

function tagsAtEnd(probe: TemplateProbe, on: TemplateVariables): ThoughtTags | undefined {
  const prompt = generationPrompt(probe, on)?.trimEnd();
  return knownThoughtTags.find(({ begin, end }) => prompt?.endsWith(begin) || prompt?.endsWith(end));
}

const tagsInSource = (source: string) =>
  knownThoughtTags.find(({ begin, end }) => source.includes(begin) || source.includes(end));

/** Tags of a template that shows no thoughts: it cuts an answer at the end of one, and begins one in its prompt. */
function tagsOfCuts(probe: TemplateProbe): ThoughtTags | undefined {
  const cuts = [...probe.input.source.matchAll(/\.split\(\s*(['"])([^\s'"][^'"\n]*)\1/g)].map(
    (found) => found[2] ?? '',
  );
  const end = cuts.find((cut) => {
    const content = probeTexts.thought + cut + probeTexts.answer;
    const text = probe.try([userMessage, { ...answerMessage, content }, userMessage]);
    return text?.includes(probeTexts.answer) === true && !text.includes(probeTexts.thought);
  });
  const answered = probe.try([userMessage, answerMessage]) ?? '';
  const prompt = generationPrompt(probe, {}) ?? '';
  const begin = prompt.slice(commonBeginning(prompt, answered).length).trim();
  return end !== undefined && begin !== '' && !begin.includes(end) ? { begin, end } : undefined;
}
