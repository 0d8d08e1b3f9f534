import { deriveToolSyntax } from '../tools/derive/derive-tool-syntax.ts';
import { readsCallsBack, readsThoughtsBack } from '../probe/reads-back.ts';
import { renderCalls, type RenderedCalls } from '../probe/rendered-calls.ts';
import { noMarkers, type AnswerMarkers } from '../thoughts/thought-tags.ts';
import {
  answerMessage,
  callMessage,
  probeCalls,
  probeTexts,
  probeTools,
  resultMessage,
  TemplateProbe,
  userMessage,
  type ArgumentsForm,
  type EmptyContent,
  type TemplateInput,
} from '../probe/template-probe.ts';
import { readThoughtFacts, type ThoughtFacts } from './thought-facts.ts';
import { plainToolSyntax, type ToolSyntax } from '../tools/tool-syntax.ts';

export type ToolsVariable = 'tools' | 'functions';

/** The abilities of a template, found by rendering made-up conversations and looking for their texts in the result. */
export interface TemplateFacts {
  /** True when a system message reaches the prompt; else its text has to go before the first user message. */
  readonly systemRole: boolean;
  /** The variable that the template reads tools from: a list in `tools`, JSON text in `functions`; undefined: none. */
  readonly toolsVariable: ToolsVariable | undefined;
  /** True when it shows tools only where a system message comes first. */
  readonly toolsNeedSystem: boolean;
  /** How it accepts an assistant's calls; undefined: it renders none, so they are written into the content. */
  readonly calls:
    | {
        readonly form: ArgumentsForm;
        readonly emptyContent: EmptyContent;
        /** True when several calls of one message are rendered. */
        readonly several: boolean;
        /** True when a message may have both content and calls. */
        readonly besideContent: boolean;
        /** True when it writes the content of a call's message after the results, and then opens no next turn. */
        readonly contentLast: boolean;
      }
    | undefined;
  /** True when messages of role `tool` reach the prompt. */
  readonly toolRole: boolean;
  /** `nine`: ids of calls must be nine letters or digits (Mistral). */
  readonly callIds: 'any' | 'nine';
  /** How the model writes calls: as its template does, or in the common form where the template writes none. */
  readonly toolSyntax: ToolSyntax;
  /** True when the template or the model's family defines that syntax; else the prompt has to explain it. */
  readonly knowsSyntax: boolean;
  readonly thoughts: ThoughtFacts | undefined;
  readonly answer: AnswerMarkers;
}

/**
 * The abilities of the template of `input`. It renders some 100 prompts, each in a few milliseconds at most. Never
 * throws: a prompt that the template refuses counts as an ability that it lacks. A syntax of calls, thoughts and
 * markers of answers count only where prompts that the template writes with other texts are read back as they were.
 */
export function readTemplateFacts(input: TemplateInput): TemplateFacts {
  const probe = new TemplateProbe(input);
  const usual = renderCalls(probe, 'object') ?? renderCalls(probe, 'string');
  const rendered = [usual, usual && renderCalls(probe, 'values')].filter((calls) => calls !== undefined);
  for (const calls of rendered) {
    const facts = withCheckedThoughts(probe, factsOf(probe, calls), calls);
    if (facts.knowsSyntax && readsCallsBack(probe, facts, calls.turnEnds)) return facts;
  }
  const [first] = rendered;
  const bare = factsOf(probe, undefined);
  const answer = first && bare.answer === noMarkers ? { ...first.answer, opened: false } : bare.answer;
  const facts = withCheckedThoughts(probe, { ...bare, answer }, first);
  if (facts.knowsSyntax && first === undefined) return facts;
  return { ...facts, toolSyntax: plainToolSyntax, knowsSyntax: false };
}

function factsOf(probe: TemplateProbe, rendered: RenderedCalls | undefined): TemplateFacts {
  const derived = deriveToolSyntax(rendered, probe.input.source);
  const { answer = noMarkers } = rendered ?? {};
  const thoughts = readThoughtFacts(probe, rendered);
  const opening = probe.try([userMessage], { ...thoughts?.switch?.off, add_generation_prompt: true });
  const opened = answer.begin !== '' && opening?.endsWith(answer.begin) === true;
  return {
    systemRole: showsSystem(probe),
    toolsVariable: (['tools', 'functions'] as const).find(
      (variable) => showsTools(probe, variable, []) || showsTools(probe, variable, [systemMessage]),
    ),
    toolsNeedSystem: !(['tools', 'functions'] as const).some((variable) => showsTools(probe, variable, [])),
    calls: rendered && {
      form: rendered.form,
      emptyContent: rendered.emptyContent,
      several: rendered.two !== undefined,
      besideContent: takesContentBesideCalls(probe, rendered.form),
      contentLast: writesContentLast(probe, rendered.form),
    },
    toolRole: showsResult(probe, rendered),
    callIds: refusesLongIds(probe, rendered) ? 'nine' : 'any',
    toolSyntax: derived ?? plainToolSyntax,
    knowsSyntax: derived !== undefined,
    thoughts,
    answer: answerMarkers(probe.input.source, derived?.channels ? noMarkers : { ...answer, opened }),
  };
}

/** `facts` without what is known of thoughts or of markers around answers where these are not read back. */
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

function showsSystem(probe: TemplateProbe): boolean {
  return (
    probe.try([systemMessage, userMessage], { add_generation_prompt: true })?.includes(probeTexts.system) ===
    true
  );
}

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

/** `tools` in the form that `variable` takes. */
export const toToolsItem = (variable: ToolsVariable, tools: readonly unknown[]): unknown =>
  variable === 'tools' ? tools : JSON.stringify(tools, null, 4);

function takesContentBesideCalls(probe: TemplateProbe, form: ArgumentsForm): boolean {
  const [call] = probeCalls;
  const text = probe.try([userMessage, callMessage([call], form, answerMessage.content)], {
    tools: probeTools,
  });
  // A template may drop the content, but where it drops the call, content and call become two messages.
  return text?.slice(text.lastIndexOf(probeTexts.user)).includes(call.name) === true;
}

/** Whether the template writes the content of a call's message after the call's result. */
function writesContentLast(probe: TemplateProbe, form: ArgumentsForm): boolean {
  const [call] = probeCalls;
  const messages = [userMessage, callMessage([call], form, answerMessage.content), resultMessage(call)];
  const text = probe.try(messages, { tools: probeTools, add_generation_prompt: true });
  return text?.split(probeTexts.result).at(-1)?.includes(probeTexts.answer) === true;
}

type FoundCalls = { readonly form: ArgumentsForm; readonly emptyContent: EmptyContent } | undefined;

function showsResult(probe: TemplateProbe, calls: FoundCalls): boolean {
  const [call] = probeCalls;
  const message = calls ? callMessage([call], calls.form, calls.emptyContent) : answerMessage;
  const items = { tools: probeTools, add_generation_prompt: true };
  return probe.try([userMessage, message, resultMessage(call)], items)?.includes(probeTexts.result) === true;
}

function refusesLongIds(probe: TemplateProbe, calls: FoundCalls): boolean {
  if (!calls) return false;
  const [short] = probeCalls;
  const long = { ...short, id: 'call_qz0123456789abcdefghijkl' };
  const render = (call: typeof short) =>
    probe.try([userMessage, callMessage([call], calls.form, calls.emptyContent), resultMessage(call)], {
      tools: probeTools,
    });
  return render(long) === undefined && render(short) !== undefined;
}
