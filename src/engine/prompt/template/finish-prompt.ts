import type { ChatMessage, GenerationRequest, ReasoningRequest } from '../../types.ts';
import { channelTexts } from '../thoughts/read-channels.ts';
import { endsClosed, gapAround } from '../thoughts/thought-tags.ts';
import type { TemplateFacts } from './template-facts.ts';
import type { ThoughtFacts } from './thought-facts.ts';

export interface RenderedPrompt {
  readonly text: string;
  /** True when the prompt ends inside a thought, so that the model's first text belongs to it. */
  readonly startsInThought: boolean;
  /** Names of the conversation's variables that the template does not read; undefined: none. */
  readonly unreadVariables?: readonly string[];
}

export type Variables = Readonly<Record<string, unknown>>;

/** An empty thought for models that write in channels (gpt-oss); after it the model answers at once. */
const emptyAnalysis = channelTexts.analysisBegin + channelTexts.messageEnd + channelTexts.nextMessage;

/**
 * The prompt that `render` writes, with a thought opened or closed at its end where the request asks for that and the
 * template did not do it. `variables` win over those that the request sets by itself.
 */
export function finishPrompt(
  render: (variables: Variables) => string,
  thoughts: ThoughtFacts | undefined,
  reasoning: ReasoningRequest | undefined,
  variables: Variables = {},
): RenderedPrompt {
  const text = render({ ...reasoningVariables(thoughts, reasoning), ...variables });
  if (!thoughts) return { text, startsInThought: false };
  const unwanted = reasoning?.enabled === false;
  if (thoughts.syntax.kind === 'channels') {
    if (unwanted) return { text: text + emptyAnalysis, startsInThought: false };
    const startsInThought = reasoning?.enabled === true;
    return { text: startsInThought ? text + channelTexts.analysisBegin : text, startsInThought };
  }
  const { tags } = thoughts.syntax;
  const { begin, end } = tags;
  const gap = gapAround(tags, '\n\n');
  const open = text.trimEnd().endsWith(begin);
  if (unwanted) {
    if (open) return { text: `${text.trimEnd()}${gap}${end}${gap}`, startsInThought: false };
    const closed = thoughts.switch !== undefined || endsClosed(text, tags);
    return { text: closed ? text : `${text}${begin}${gap}${end}${gap}`, startsInThought: false };
  }
  // Some templates ignore the switch where there is a system message, or where there are tools.
  const isIgnored =
    !open &&
    reasoning?.enabled === true &&
    thoughts.switch &&
    text === render({ ...variables, ...thoughts.switch.off });
  return isIgnored
    ? { text: text + begin + gapAround(tags, '\n'), startsInThought: true }
    : { text, startsInThought: open };
}

/** `prompt` with the answer that was `begun` behind it: the model goes on in its thought, or in its text. */
export function continuePrompt(
  prompt: RenderedPrompt,
  { content, reasoning = '' }: ChatMessage,
  { thoughts, answer }: Pick<TemplateFacts, 'thoughts' | 'answer'>,
): RenderedPrompt {
  const { text, startsInThought } = prompt;
  const answerBegin = text.endsWith(answer.begin) ? '' : answer.begin;
  if (thoughts?.syntax.kind === 'channels') {
    const { messageEnd, nextMessage, finalBegin } = channelTexts;
    const thought = startsInThought ? text + reasoning : text;
    if (content === '') return { ...prompt, text: thought, startsInThought };
    const closed = startsInThought ? thought + messageEnd + nextMessage : thought;
    return { ...prompt, text: closed + finalBegin + content, startsInThought: false };
  }
  if (thoughts === undefined || reasoning === '') return { ...prompt, text: text + answerBegin + content };
  const { tags } = thoughts.syntax;
  const opened = startsInThought ? text : text + tags.begin + gapAround(tags, '\n');
  if (content === '') return { ...prompt, text: opened + reasoning, startsInThought: true };
  const closed = opened + reasoning + gapAround(tags, '\n') + tags.end + gapAround(tags, '\n\n');
  return { ...prompt, text: closed + answer.begin + content, startsInThought: false };
}

/** The template variables by which the request turns thinking on or off, and sets its effort. */
function reasoningVariables(
  thoughts: ThoughtFacts | undefined,
  reasoning: ReasoningRequest | undefined,
): Variables {
  if (!thoughts || !reasoning) return {};
  const { effort, switch: switched } = thoughts;
  const asked = reasoning.enabled ? reasoning.effort : 'low';
  return {
    ...(reasoning.enabled && switched?.on),
    ...(effort && asked && { [effort.variable]: effort.values[asked] }),
    ...(!reasoning.enabled && switched?.off),
  };
}

/** The `reasoning` of a request whose template variables turn thinking on or off; {} where they do not. */
export function switchedReasoning(
  { templateVariables = {}, reasoning }: Pick<GenerationRequest, 'templateVariables' | 'reasoning'>,
  thoughts: ThoughtFacts | undefined,
): { readonly reasoning?: ReasoningRequest } {
  const effort = thoughts?.effort ? [thoughts.effort.variable] : [];
  const names = [...Object.keys(thoughts?.switch?.on ?? {}), ...effort];
  const name = names.find((candidate) => Object.hasOwn(templateVariables, candidate));
  if (name === undefined) return {};
  return { reasoning: { ...reasoning, enabled: templateVariables[name] !== thoughts?.switch?.off[name] } };
}
