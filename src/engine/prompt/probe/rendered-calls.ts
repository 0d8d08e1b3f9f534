import { commonBeginning, commonEnd, lastMarkerAt } from '../text/text-cuts.ts';
import { noMarkers, withoutEmptyThought, type AnswerMarkers } from '../thoughts/thought-tags.ts';
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
  /** The text of one call. */
  readonly one: string;
  /** The text of two calls in one turn; undefined where the template accepts only one. */
  readonly two: string | undefined;
  readonly answer: Pick<AnswerMarkers, 'begin' | 'end' | 'rest'>;
  /** Everything that the template writes after a plain answer at the end of a conversation. */
  readonly afterAnswer: string;
}

/** Texts that end a turn after calls only. An end that answers have as well is cut off without this list. */
const turnEnds = [
  '<|eom_id|>',
  '<|eot_id|>',
  '<|call|>',
  '<|calls|>',
  '<|im_end|>',
  '<|end|>',
  '<|tool_response>',
  '</s>',
];

/** How the template of `probe` renders calls; undefined when it ignores or refuses them, or garbles arguments. */
export function renderCalls(probe: TemplateProbe, form: ArgumentsForm): RenderedCalls | undefined {
  let best: RenderedCalls | undefined;
  for (const emptyContent of ['', null] as const) {
    const rendered = renderAs(probe, form, emptyContent);
    // Some templates also write an empty turn for an empty content: the shorter text is without that turn.
    if (rendered && (best === undefined || rendered.one.length < best.one.length)) best = rendered;
  }
  return best;
}

function renderAs(
  probe: TemplateProbe,
  form: ArgumentsForm,
  emptyContent: EmptyContent,
): RenderedCalls | undefined {
  const [first, second] = probeCalls;
  const items = { tools: probeTools };
  const answered = probe.try([userMessage, answerMessage], items);
  const one = probe.try([userMessage, callMessage([first], form, emptyContent)], items);
  if (answered === undefined || one === undefined) return undefined;
  const opened = { ...items, add_generation_prompt: true };
  const opening = probe.try([userMessage], opened) ?? '';
  // Some templates open the next turn whether they are asked to or not.
  const isOpen = probe.try([userMessage, answerMessage], opened) === answered;
  const turn = cutTurn(answered, one, opening, isOpen);
  if (turn === undefined || !isFaithful(turn.text)) return undefined;
  const two = probe.try([userMessage, callMessage([first, second], form, emptyContent)], items);
  const twoTurn = two === undefined ? undefined : cutTurn(answered, two, opening, isOpen);
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
function cutTurn(answered: string, called: string, opening: string, isOpen: boolean) {
  const answerAt = answered.lastIndexOf(probeTexts.answer);
  const nameAt = called.indexOf(probeCalls[0].name, called.lastIndexOf(probeTexts.user));
  if (answerAt < 0 || nameAt < 0) return undefined;
  const shared = commonBeginning(answered.slice(0, answerAt), called.slice(0, nameAt));
  // The model goes on where the prompt ends, even where answers and calls go on alike.
  const begin = shared.startsWith(opening) ? opening.length : shared.length;
  const answerTail = answered.slice(answerAt + probeTexts.answer.length);
  const end = commonEnd(answerTail, called.slice(nameAt));
  const answer = {
    begin: withoutLayout(withoutEmptyThought(answered.slice(begin, answerAt)).trimStart()),
    end: answerTail.slice(0, answerTail.length - end.length).trim(),
    // The last marker ends the turn; what comes before it the model writes.
    rest: isOpen ? '' : end.slice(0, lastMarkerAt(end)).trim(),
  };
  const text = called.slice(begin, called.length - end.length) + answer.rest;
  return {
    text: withoutPrefix(withoutEmptyThought(withoutTurnEnd(text)), answer.begin + answer.end),
    // A text after the answer without one before it is only the end of the turn.
    answer: answer.begin === '' ? noMarkers : answer,
  };
}

/** `begin` without white space at its end, except behind a word, which white space sets apart from the answer. */
const withoutLayout = (begin: string) => (/\w\s+$/.test(begin) ? begin : begin.trimEnd());

/** `text` without `prefix`, which is an empty answer before the calls. */
const withoutPrefix = (text: string, prefix: string) =>
  prefix !== '' && text.trimStart().startsWith(prefix) ? text.trimStart().slice(prefix.length) : text;

export function withoutTurnEnd(text: string): string {
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
