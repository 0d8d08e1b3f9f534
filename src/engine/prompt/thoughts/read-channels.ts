import type { CharStream, Reading } from '../text/char-stream.ts';

/** Receives the contents of channels' messages. */
export interface ChannelSink {
  emit(type: 'reasoning' | 'text', text: string): void;
  setInThought(inThought: boolean): void;
}

/** Parts of a turn in channels that are put into prompts and grammars. */
export const channelTexts = {
  analysisBegin: '<|channel|>analysis<|message|>',
  finalBegin: '<|channel|>final<|message|>',
  messageEnd: '<|end|>',
  /** The beginning of another message of the same turn. */
  nextMessage: '<|start|>assistant',
  callBegin: '<|channel|>commentary to=functions.',
} as const;

const bodyBegin = '<|message|>';
const channelBegin = '<|channel|>';
const bodyEnds = ['<|end|>', '<|call|>', '<|return|>', '<|start|>', channelBegin];
const headerBegins = ['<|start|>', channelBegin];
/** In characters: names of tools have 64 at most. */
const longestHeader = 256;
/** The last channel of a header, and the text behind its name. */
const channelOf =
  /^(?:<\|start\|>\s*(?:assistant)?)?(?:.*<\|channel\|>\s*(analysis|commentary|final|\w*$|))?\s*(.*)$/s;

/** The control texts around the parts of a message in a channel. */
export const channelMarkers: readonly string[] = [bodyBegin, ...bodyEnds, '<|constrain|>'];

/**
 * Reads messages as gpt-oss writes them, `<|channel|>NAME to=RECIPIENT <|constrain|>json<|message|>BODY<|end|>` and
 * `<|start|>assistant` between them. The channel `analysis` holds thoughts, the others text. A call of a function
 * becomes text for the parser of calls. Its header may take several forms; it is passed on in one of them. A recipient
 * that is one of `tools` may stand without `functions.`. Text that began as a header and is none belongs to the body.
 */
export function* readChannels(chars: CharStream, tools: readonly string[], sink: ChannelSink): Reading<void> {
  const begun = new Set<string>();
  while ((yield* chars.peek()) !== '') {
    let spaces = '';
    yield* chars.untilChar(/\S/, (text) => {
      spaces += text;
    });
    // A header begins with `<|start|>` or, after the prompt's own `<|start|>assistant`, without it.
    if (!(yield* startsWith(chars, [...headerBegins, 'to=']))) {
      if (spaces !== '') sink.emit('text', spaces);
      // A text without a header is the answer.
      yield* chars.until(headerBegins, (text) => sink.emit('text', text));
      continue;
    }
    const header = yield* readHeader(chars);
    const isWhole = yield* chars.acceptExactly(bodyBegin);
    const [, space, recipient = ''] = /to=(functions\.)?([^\s<]+)/.exec(header) ?? [];
    const isCall =
      (isWhole || (yield* chars.peek()) === '{') && (space !== undefined || tools.includes(recipient));
    const [, channel, behind = ''] = channelOf.exec(header) ?? [];
    const isThought = !isCall && channel === 'analysis';
    const type = isThought ? 'reasoning' : 'text';
    let separator = !isCall && begun.has(type) ? '\n\n' : '';
    const emit = (text: string) => {
      if (text === '') return;
      sink.emit(type, separator + text);
      begun.add(type);
      separator = '';
    };
    sink.setInThought(isThought);
    if (isCall) sink.emit('text', `${channelTexts.callBegin}${recipient} <|constrain|>json<|message|>`);
    // The header of a call that was cut off is no text either.
    else if (!isWhole && !/to=functions\.|<\|constrain\|>/.test(header)) emit(behind);
    const end = yield* chars.until(bodyEnds, emit);
    sink.setInThought(false);
    if (end === undefined) return;
    if (isCall) sink.emit('text', '<|call|>');
    if (!headerBegins.includes(end)) chars.skip(end.length);
  }
}

/** Reads a header up to `<|message|>`, or as much of it as can be one. */
function* readHeader(chars: CharStream): Reading<string> {
  const ends = [bodyBegin, ...bodyEnds.filter((end) => end !== channelBegin)];
  let header = '';
  for (;;) {
    const char = yield* chars.peek();
    if (char === '' || char === '{' || header.length === longestHeader) return header;
    // The header of a call may name its channel twice. Elsewhere a second channel begins another message.
    const isNamed = header.includes(channelBegin) && !header.includes('to=');
    if (header !== '' && (yield* startsWith(chars, isNamed ? [...ends, channelBegin] : ends))) return header;
    header += char;
    chars.skip(1);
  }
}

function* startsWith(chars: CharStream, texts: readonly string[]): Reading<boolean> {
  for (const text of texts) if ((yield* chars.match(text)) >= 0) return true;
  return false;
}
