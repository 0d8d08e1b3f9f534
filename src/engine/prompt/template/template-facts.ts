import { deriveToolSyntax } from '../tools/derive/derive-tool-syntax.ts';
import { renderCalls } from './rendered-calls.ts';
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
} from './template-probe.ts';
import { readThoughtFacts, type ThoughtFacts } from '../thoughts/thought-facts.ts';
import { plainToolSyntax, type ToolSyntax } from '../tools/tool-syntax.ts';

export type ToolsVariable = 'tools' | 'functions';

/** What a template can do, found by rendering conversations and looking at what became of them. */
export interface TemplateFacts {
  /** A system message reaches the prompt; else its text goes in front of the first user message. */
  readonly systemRole: boolean;
  /** The variable whose tools the template shows, a list in `tools`, JSON text in `functions`; undefined: none. */
  readonly toolsVariable: ToolsVariable | undefined;
  /** It shows them only where a system message comes first. */
  readonly toolsNeedSystem: boolean;
  /** How it takes an assistant's calls; undefined: it renders none, they have to be written into the content. */
  readonly calls:
    | {
        readonly form: ArgumentsForm;
        readonly emptyContent: EmptyContent;
        /** Several calls of one message are rendered. */
        readonly several: boolean;
        /** A message may have content and calls. */
        readonly besideContent: boolean;
        /** Content beside a call comes behind the results and closes the turn: the next one is not opened. */
        readonly contentLast: boolean;
      }
    | undefined;
  /** Messages of role `tool` reach the prompt. */
  readonly toolRole: boolean;
  /** `nine`: ids must be nine letters and digits (Mistral). */
  readonly callIds: 'any' | 'nine';
  /** How calls are written: the template's own way, or the plain convention where it has none. */
  readonly toolSyntax: ToolSyntax;
  /** The template or the model's family defines that syntax; false: the model has to be told. */
  readonly knowsSyntax: boolean;
  readonly thoughts: ThoughtFacts | undefined;
  /** What stands around plain answers only; both '' in most templates. */
  readonly answer: { readonly begin: string; readonly end: string };
}

/** Takes some 60 renders, a few milliseconds each at most. Never throws: what a template refuses it cannot do. */
export function readTemplateFacts(input: TemplateInput): TemplateFacts {
  const probe = new TemplateProbe(input);
  const rendered = renderCalls(probe);
  const derived = deriveToolSyntax(rendered, input.source);
  const { answer = { begin: '', end: '' } } = rendered ?? {};
  const channels = derived?.channels === true;
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
    thoughts: readThoughtFacts(probe, rendered),
    answer: answerMarkers(input.source, channels ? { begin: '', end: '' } : answer),
  };
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

/** Granite says in words that an answer stands in tags of its own; no message of the history has them. */
function answerMarkers(source: string, found: TemplateFacts['answer']): TemplateFacts['answer'] {
  const tags = { begin: '<response>', end: '</response>' };
  return found.begin === '' && source.includes(tags.begin + tags.end) ? tags : found;
}

/** Tools as the variable wants them. */
export const toToolsItem = (variable: ToolsVariable, tools: readonly unknown[]): unknown =>
  variable === 'tools' ? tools : JSON.stringify(tools, null, 4);

function takesContentBesideCalls(probe: TemplateProbe, form: ArgumentsForm): boolean {
  const [call] = probeCalls;
  const text = probe.try([userMessage, callMessage([call], form, answerMessage.content)], {
    tools: probeTools,
  });
  // A template that drops the content means to; one that drops the call gets them apart.
  return text?.slice(text.lastIndexOf(probeTexts.user)).includes(call.name) === true;
}

/** Whether the template writes content beside a call behind the result. */
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
