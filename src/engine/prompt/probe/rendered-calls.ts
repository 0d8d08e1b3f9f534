import { commonBeginning, commonEnd } from '../text/text-cuts.ts';
import { withoutEmptyThought } from '../thoughts/thought-tags.ts';
import {
  answerMessage,
  callMessage,
  probeCalls,
  probeTexts,
  probeTools,
  userMessage,
  type ArgumentsForm,
  type EmptyContent,
  type TemplateProbe,
} from './template-probe.ts';

/** What a template wrote for an assistant's calls: the text that the model would have had to generate. */
export interface RenderedCalls {
  readonly form: ArgumentsForm;
  readonly emptyContent: EmptyContent;
  readonly one: string;
  /** The text of one call, and of two in one turn; `two` is undefined where the template accepts only one. */
  readonly two: string | undefined;
  /** What the template writes around a plain answer but not around calls, such as Cohere's <|START_TEXT|>. */
  readonly answer: { readonly begin: string; readonly end: string };
  /** Everything that the template writes after a plain answer at the end of a conversation. */
  readonly afterAnswer: string;
}

/** Texts that end a turn after calls only. An end that answers have as well is cut off without this list. */
const turnEnds = [
  '<|eom_id|>',
  '<|eot_id|>',
  '<|call|>',
  '<|im_end|>',
  '<|end|>',
  '<|tool_response>',
  '</s>',
];

/** How the template of `probe` renders calls; undefined when it ignores or refuses them, or garbles arguments. */
export function renderCalls(probe: TemplateProbe): RenderedCalls | undefined {
  let best: RenderedCalls | undefined;
  for (const form of ['object', 'string'] as const) {
    for (const emptyContent of ['', null] as const) {
      const rendered = renderAs(probe, form, emptyContent);
      // Some templates also write an empty turn for an empty content: the shorter text is without that turn.
      if (rendered && (best === undefined || rendered.one.length < best.one.length)) best = rendered;
    }
    if (best) return best;
  }
  return best;
}

function renderAs(
  probe: TemplateProbe,
  form: ArgumentsForm,
  emptyContent: EmptyContent,
): RenderedCalls | undefined {
  const [first, second] = probeCalls;
  const answered = probe.try([userMessage, answerMessage], { tools: probeTools });
  const one = probe.try([userMessage, callMessage([first], form, emptyContent)], { tools: probeTools });
  if (answered === undefined || one === undefined) return undefined;
  const turn = cutTurn(answered, one);
  if (turn === undefined || !isFaithful(turn.text)) return undefined;
  const two = probe.try([userMessage, callMessage([first, second], form, emptyContent)], {
    tools: probeTools,
  });
  const twoTurn = two === undefined ? undefined : cutTurn(answered, two);
  const both =
    twoTurn !== undefined && twoTurn.text.includes(second.name) && twoTurn.text.includes('qzdelta');
  return {
    form,
    emptyContent,
    one: turn.text,
    two: both ? twoTurn.text : undefined,
    answer: turn.answer,
    afterAnswer: answered.slice(answered.lastIndexOf(probeTexts.answer) + probeTexts.answer.length),
  };
}

/** The part of the prompt `called` that stands where the prompt `answered` has the answer. */
function cutTurn(answered: string, called: string) {
  const answerAt = answered.lastIndexOf(probeTexts.answer);
  const nameAt = called.indexOf(probeCalls[0].name, called.lastIndexOf(probeTexts.user));
  if (answerAt < 0 || nameAt < 0) return undefined;
  const begin = commonBeginning(answered.slice(0, answerAt), called.slice(0, nameAt));
  const answerEnd = answered.slice(answerAt + probeTexts.answer.length);
  const end = commonEnd(answerEnd, called.slice(nameAt));
  const answerBegin = answered.slice(begin.length, answerAt).trim();
  const tail = answerEnd.slice(0, answerEnd.length - end.length);
  return {
    text: withoutEmptyThought(withoutTurnEnd(called.slice(begin.length, called.length - end.length))),
    // A text after the answer without one before it is only the end of the turn.
    answer: { begin: answerBegin, end: answerBegin === '' ? '' : tail.trim() },
  };
}

function withoutTurnEnd(text: string): string {
  const trimmed = text.trimEnd();
  const end = turnEnds.find((candidate) => trimmed.endsWith(candidate));
  return end === undefined ? trimmed : withoutTurnEnd(trimmed.slice(0, -end.length));
}

/** Whether the arguments were rendered plainly: not as a string inside JSON, not as a Python dictionary. */
function isFaithful(turn: string): boolean {
  return (
    turn.includes('qz_text') &&
    turn.includes('qzalpha qzbeta') &&
    turn.includes('73915') &&
    !turn.includes('\\"qz_text') &&
    !turn.includes("'qz_text'") &&
    !turn.includes('{{')
  );
}
