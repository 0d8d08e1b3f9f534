import type { CharStream, Reading } from '../text/char-stream.ts';

/** Where the messages of channels go. */
export interface ChannelSink {
  emit(type: 'reasoning' | 'text', text: string): void;
  setInThought(inThought: boolean): void;
}

/** Parts of a turn in channels, to be written for the model or demanded of it. */
export const channelTexts = {
  analysisBegin: '<|channel|>analysis<|message|>',
  finalBegin: '<|channel|>final<|message|>',
  messageEnd: '<|end|>',
  /** The model goes on with another message. */
  nextMessage: '<|start|>assistant',
} as const;

const bodyBegin = '<|message|>';
const bodyEnds = ['<|end|>', '<|call|>', '<|return|>', '<|start|>', '<|channel|>'];
const headerBegins = ['<|start|>', '<|channel|>'];

/** The control texts that messages in channels are made of. */
export const channelMarkers: readonly string[] = [bodyBegin, ...bodyEnds, '<|constrain|>'];

/**
 * Reads messages as gpt-oss writes them, `<|channel|>NAME to=RECIPIENT <|constrain|>json<|message|>BODY<|end|>`
 * and `<|start|>assistant` between them. The analysis channel is thought, the others are text. A call of a
 * function comes out as text with one form of header, whatever form the model chose, for the parser of calls.
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
      // Without a header it can only be the answer.
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

/** A message begins, or goes on behind `<|start|>assistant` in the prompt: with a channel or a recipient. */
function* startsHeader(chars: CharStream): Reading<boolean> {
  for (const begin of [...headerBegins, 'to=']) if ((yield* chars.match(begin)) >= 0) return true;
  return false;
}
