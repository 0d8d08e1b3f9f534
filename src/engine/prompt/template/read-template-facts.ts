import { deriveToolSyntax } from '../tools/derive-tool-syntax.ts';
import { readsCallsBack, readsThoughtsBack } from '../probe/reads-back.ts';
import { renderCalls, type RenderedCalls } from '../probe/rendered-calls.ts';
import { noMarkers } from '../thoughts/thought-tags.ts';
import {
  callMessage,
  inParts,
  probeCalls,
  probeTexts,
  probeTools,
  resultMessage,
  TemplateProbe,
  userMessage,
  type TemplateInput,
} from '../probe/template-probe.ts';
import { findTurnShape } from './find-turn-shape.ts';
import type { TemplateFacts, ToolsVariable } from './template-facts.ts';
import { toToolsItem } from './template-messages.ts';
import { readThoughtFacts, type ThoughtFacts } from './thought-facts.ts';
import { plainToolSyntax } from '../tools/tool-syntax.ts';

/**
 * The abilities of the template of `input`. It renders 30 to 100 prompts, each in a few milliseconds at most. Never
 * throws: a prompt that the template refuses counts as an ability that it lacks. A syntax of calls, thoughts and
 * markers of answers count only where prompts that the template writes with other texts are read back as they were.
 */
export function readTemplateFacts(input: TemplateInput): TemplateFacts {
  const plain = new TemplateProbe(input);
  const parted = new TemplateProbe({ ...input, render: inParts(input.render) });
  const takesParts = !showsUser(plain) && showsUser(parted);
  const probe = takesParts ? parted : plain;
  const facts = { ...readSyntaxFacts(probe), ...(takesParts && { takesParts }) };
  return { ...facts, turns: findTurnShape(probe, facts) };
}

const showsUser = (probe: TemplateProbe) =>
  probe.try([userMessage], { add_generation_prompt: true })?.includes(probeTexts.user) === true;

function readSyntaxFacts(probe: TemplateProbe): TemplateFacts {
  const thoughts = readThoughtFacts(probe);
  let first: RenderedCalls | undefined;
  for (const form of ['object', 'string', 'values'] as const) {
    // Where the first form is taken, the second would be the same or garbled.
    const calls = form === 'string' && first ? undefined : renderCalls(probe, form, thoughts);
    if (calls === undefined) continue;
    first ??= calls;
    const facts = withCheckedThoughts(probe, factsOf(probe, calls, thoughts), calls);
    if (facts.knowsSyntax && readsCallsBack(probe, facts, calls.turnEnds)) return facts;
  }
  const bare = factsOf(probe, undefined, thoughts);
  const answer = first && bare.answer === noMarkers ? { ...first.answer, opened: false } : bare.answer;
  const facts = withCheckedThoughts(probe, { ...bare, answer }, first);
  if (facts.knowsSyntax && first === undefined) return facts;
  return { ...facts, toolSyntax: plainToolSyntax, knowsSyntax: false };
}

function factsOf(
  probe: TemplateProbe,
  rendered: RenderedCalls | undefined,
  thoughts: ThoughtFacts | undefined,
): TemplateFacts {
  const derived = deriveToolSyntax(rendered, probe.input.source);
  const { answer = noMarkers } = rendered ?? {};
  const opening = probe.try([userMessage], { ...thoughts?.switch?.off, add_generation_prompt: true });
  const opened = answer.begin !== '' && opening?.endsWith(answer.begin) === true;
  const shown = (before: readonly unknown[]) =>
    (['tools', 'functions'] as const).find((variable) => showsTools(probe, variable, before));
  const alone = shown([]);
  return {
    toolsVariable: alone ?? shown([systemMessage]),
    toolsNeedSystem: alone === undefined,
    calls: rendered && {
      form: rendered.form,
      emptyContent: rendered.emptyContent,
      several: rendered.two !== undefined,
    },
    callIds: refusesLongIds(probe, rendered) ? 'nine' : 'any',
    toolSyntax: derived ?? plainToolSyntax,
    knowsSyntax: derived !== undefined,
    thoughts,
    answer: answerMarkers(probe.input.source, derived?.channels ? noMarkers : { ...answer, opened }),
    turns: {},
  };
}

/** `facts` without those of thoughts or of markers around answers where these are not read back. */
function withCheckedThoughts(
  probe: TemplateProbe,
  facts: TemplateFacts,
  rendered: RenderedCalls | undefined,
): TemplateFacts {
  const candidates = [
    facts,
    { ...facts, thoughts: undefined },
    { ...facts, answer: noMarkers, thoughts: undefined },
  ];
  const turnEnds = rendered?.turnEnds ?? [];
  return candidates.find((candidate) => readsThoughtsBack(probe, candidate, turnEnds)) ?? facts;
}

const systemMessage = { role: 'system', content: probeTexts.system };

function showsTools(probe: TemplateProbe, variable: ToolsVariable, before: readonly unknown[]): boolean {
  const items = { [variable]: toToolsItem(variable, probeTools), add_generation_prompt: true };
  const text = probe.try([...before, userMessage], items);
  return text?.includes(probeTexts.description) === true && text.includes(probeCalls[0].name);
}

/** `found`, or Granite's tags: its template only describes them in words and writes them in no message. */
function answerMarkers(source: string, found: TemplateFacts['answer']): TemplateFacts['answer'] {
  const tags = { ...noMarkers, begin: '<response>', end: '</response>' };
  return found.begin === '' && source.includes(tags.begin + tags.end) ? tags : found;
}

function refusesLongIds(probe: TemplateProbe, calls: RenderedCalls | undefined): boolean {
  if (!calls) return false;
  const [short] = probeCalls;
  const long = { ...short, id: 'call_qz0123456789abcdefghijkl' };
  const render = (call: typeof short) =>
    probe.try([userMessage, callMessage([call], calls.form, calls.emptyContent), resultMessage(call)], {
      tools: probeTools,
    });
  return render(long) === undefined && render(short) !== undefined;
}
