import type { ThoughtFacts } from '../template/thought-facts.ts';
import { commonBeginning, commonEnd, lastMarkerAt } from '../text/text-cuts.ts';
import {
  knownThoughtTags,
  noMarkers,
  withoutEmptyThought,
  type AnswerMarkers,
  type ThoughtTags,
} from '../thoughts/thought-tags.ts';
import {
  answerMessage,
  callMessage,
  namedId,
  probeCalls,
  probeTexts,
  probeTools,
  userMessage,
  type ArgumentsForm,
  type EmptyContent,
  type ProbeCall,
  type TemplateProbe,
} from './template-probe.ts';

/** A template's text for an assistant's calls: the text that the model would have had to generate. */
export interface RenderedCalls {
  readonly form: ArgumentsForm;
  readonly emptyContent: EmptyContent;
  readonly one: string;
  /** The text of two calls in one turn; undefined where the template accepts only one. */
  readonly two: string | undefined;
  readonly answer: Pick<AnswerMarkers, 'begin' | 'end' | 'rest'>;
  /** The texts before and behind a plain answer, and before a thought, with which no call begins. */
  readonly besides: readonly string[];
  readonly turnEnds: readonly string[];
}

/** Texts with which models of some families end a turn, most of them only after calls. */
const knownTurnEnds = [
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
export function renderCalls(
  probe: TemplateProbe,
  form: ArgumentsForm,
  thoughts: ThoughtFacts | undefined,
): RenderedCalls | undefined {
  const tags = thoughts?.syntax.kind === 'tags' ? thoughts.syntax.tags : undefined;
  let best: RenderedCalls | undefined;
  for (const emptyContent of ['', null] as const) {
    const rendered = renderAs(probe, form, emptyContent, tags);
    // Some templates also write an empty turn for an empty content: the shorter text is without that turn.
    if (rendered && (best === undefined || rendered.one.length < best.one.length)) best = rendered;
  }
  return best;
}

function renderAs(
  probe: TemplateProbe,
  form: ArgumentsForm,
  emptyContent: EmptyContent,
  tags: ThoughtTags | undefined,
): RenderedCalls | undefined {
  const items = { tools: probeTools };
  const answered = probe.try([userMessage, answerMessage], items);
  const write = (calls: readonly ProbeCall[]) =>
    probe.try([userMessage, callMessage(calls, form, emptyContent)], items);
  const [first, second] = probeCalls;
  const plain = write([first]);
  const isNamedById =
    plain?.includes(first.id) === true &&
    !plain.slice(plain.lastIndexOf(probeTexts.user)).includes(first.name);
  const calls = isNamedById
    ? probeCalls.map((call, index) => ({ ...call, id: namedId(call.name, index) }))
    : probeCalls;
  const one = isNamedById ? write(calls.slice(0, 1)) : plain;
  if (answered === undefined || one === undefined) return undefined;
  const opened = { ...items, add_generation_prompt: true };
  const opening = probe.try([userMessage], opened) ?? '';
  const afterAnswer = answered.slice(answered.lastIndexOf(probeTexts.answer) + probeTexts.answer.length);
  // Some templates open the next turn whether they are asked to or not.
  const isOpen = probe.try([userMessage, answerMessage], opened) === answered;
  const lastMarker = isOpen ? '' : afterAnswer.slice(lastMarkerAt(afterAnswer)).trim();
  const cut = (called: string) =>
    cutTurn(answered, called, { opening, isOpen, turnEnds: [lastMarker, probe.input.eosText], tags });
  const turn = cut(one);
  if (turn === undefined || !isFaithful(turn.text)) return undefined;
  const two = write(calls);
  const twoTurn = two === undefined ? undefined : cut(two);
  const both =
    twoTurn !== undefined && twoTurn.text.includes(second.name) && twoTurn.text.includes('qzdelta');
  const behindAnswer = afterAnswer.trim().slice((turn.answer.end + turn.answer.rest).length);
  return {
    form,
    emptyContent,
    one: turn.text,
    two: both ? twoTurn.text : undefined,
    answer: turn.answer,
    besides: [afterAnswer.trimStart(), turn.answer.begin, tags?.begin ?? ''],
    turnEnds: [behindAnswer.trim(), lastMarker, probe.input.eosText],
  };
}

interface TurnEdges {
  /** The prompt in whose place the turn begins. */
  readonly opening: string;
  /** True when the opening of another turn follows each turn. */
  readonly isOpen: boolean;
  readonly turnEnds: readonly string[];
  readonly tags: ThoughtTags | undefined;
}

/** The part of the prompt `called` that stands where the prompt `answered` has the answer. */
function cutTurn(answered: string, called: string, { opening, isOpen, turnEnds, tags }: TurnEdges) {
  const answerAt = answered.lastIndexOf(probeTexts.answer);
  const nameAt = called.indexOf(probeCalls[0].name, called.lastIndexOf(probeTexts.user));
  if (answerAt < 0 || nameAt < 0) return undefined;
  const shared = commonBeginning(answered.slice(0, answerAt), called.slice(0, nameAt));
  // The model goes on where the prompt ends, even where answers and calls go on alike.
  const begin = shared.startsWith(opening) ? opening.length : shared.length;
  const answerTail = answered.slice(answerAt + probeTexts.answer.length);
  const end = commonEnd(answerTail, called.slice(nameAt));
  const answer = {
    begin: withoutLayout(withoutEmptyThought(answered.slice(begin, answerAt), tags).trimStart()),
    end: answerTail.slice(0, answerTail.length - end.length).trim(),
    // The last marker ends the turn. The model writes the text before it.
    rest: isOpen ? '' : end.slice(0, lastMarkerAt(end)).trim(),
  };
  const text = called.slice(begin, called.length - end.length) + answer.rest;
  // A text after the answer without one before it is only the end of the turn, and a thought is not part of the answer.
  const isMarked =
    answer.begin !== '' && !knownThoughtTags.some((known) => answer.begin.startsWith(known.begin));
  return {
    text: withoutPrefix(withoutEmptyThought(withoutTurnEnd(text, turnEnds), tags), answer.begin + answer.end),
    answer: isMarked ? answer : noMarkers,
  };
}

/** `begin` without white space at its end, except behind a word, which white space sets apart from the answer. */
const withoutLayout = (begin: string) => (/\w\s+$/.test(begin) ? begin : begin.trimEnd());

/** `text` without `prefix`, which is an empty answer before the calls. */
const withoutPrefix = (text: string, prefix: string) =>
  prefix !== '' && text.trimStart().startsWith(prefix) ? text.trimStart().slice(prefix.length) : text;

/** `text` without the end of a turn: one of `ends`, or of the texts that come after calls. */
export function withoutTurnEnd(text: string, ends: readonly string[]): string {
  const trimmed = text.trimEnd();
  const end = [...ends, ...knownTurnEnds].find(
    (candidate) => candidate !== '' && trimmed.endsWith(candidate),
  );
  return end === undefined ? trimmed : withoutTurnEnd(trimmed.slice(0, -end.length), ends);
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
