import type { CharStream, Reading } from '../text/char-stream.ts';

/** Receives what the messages of channels hold. */
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
} as const;

const bodyBegin = '<|message|>';
const bodyEnds = ['<|end|>', '<|call|>', '<|return|>', '<|start|>', '<|channel|>'];
const headerBegins = ['<|start|>', '<|channel|>'];

/** The control texts around the parts of a message in a channel. */
export const channelMarkers: readonly string[] = [bodyBegin, ...bodyEnds, '<|constrain|>'];

/**
 * Reads messages as gpt-oss writes them, `<|channel|>NAME to=RECIPIENT <|constrain|>json<|message|>BODY<|end|>`
 * and `<|start|>assistant` between them. The channel `analysis` holds thoughts, the others text. A call of a function
 * becomes text for the parser of calls. Its header may take several forms; it is passed on in one of them.
 */
export function* readChannels(chars: CharStream, sink: ChannelSink): Reading<void> {
  const begun = new Set<string>();
  while ((yield* chars.peek()) !== '') {
    let spaces = '';
    yield* chars.passSpaces((text) => {
      spaces += text;
    });
    if (!(yield* startsHeader(chars))) {
      if (spaces !== '') sink.emit('text', spaces);
      // A text without a header is the answer.
      yield* chars.until(headerBegins, (text) => sink.emit('text', text));
      continue;
    }
    let header = '';
    const found = yield* chars.until([bodyBegin], (text) => {
      header += text;
    });
    if (found === undefined) return;
    chars.skip(bodyBegin.length);
    const name = /to=functions\.([^\s<]+)/.exec(header)?.[1];
    const isThought = name === undefined && /<\|channel\|>\s*analysis/.test(header);
    const type = isThought ? 'reasoning' : 'text';
    if (name !== undefined)
      sink.emit('text', `<|channel|>commentary to=functions.${name} <|constrain|>json<|message|>`);
    sink.setInThought(isThought);
    let separator = name === undefined && begun.has(type) ? '\n\n' : '';
    const end = yield* chars.until(bodyEnds, (text) => {
      sink.emit(type, separator + text);
      begun.add(type);
      separator = '';
    });
    sink.setInThought(false);
    if (end === undefined) return;
    if (name !== undefined) sink.emit('text', '<|call|>');
    if (!headerBegins.includes(end)) chars.skip(end.length);
  }
}

/** Whether a header begins here: with `<|start|>`, or, after the prompt's own `<|start|>assistant`, without it. */
function* startsHeader(chars: CharStream): Reading<boolean> {
  for (const begin of [...headerBegins, 'to=']) if ((yield* chars.match(begin)) >= 0) return true;
  return false;
}
