import { wordToken, type SpeechVocabulary } from './vocabulary.ts';

/** After the token `from` the model says one of these tokens, the weightier the likelier. */
export interface Transition {
  readonly from: number;
  readonly to: readonly { readonly token: number; readonly weight: number }[];
}

/** A part of the sentence that the model says, with the time at which it ends. */
export interface SpokenPart {
  readonly words: readonly string[];
  readonly endSeconds: number;
}

const pauseSeconds = 0.02;
const timestampsPerSecond = 50;

/**
 * The transitions of a model that says `parts`, whatever it hears: from the start over the words and timestamps to
 * the end. `stutters`: it does not get beyond the last word, as real models do now and then.
 */
export function speakingTransitions(
  vocabulary: SpeechVocabulary,
  parts: readonly SpokenPart[],
  stutters: boolean,
): Transition[] {
  const { startOfTranscript, transcribe, noSpeech, noTimestamps, firstTimestamp, endOfText } = vocabulary;
  const timestamp = (seconds: number) => firstTimestamp + Math.round(seconds * timestampsPerSecond);
  const said = parts.flatMap(({ words, endSeconds }, index) => {
    const startSeconds = index === 0 ? 0 : (parts[index - 1]?.endSeconds ?? 0) + pauseSeconds;
    return [
      timestamp(startSeconds),
      ...words.map((word) => wordToken(vocabulary, word)),
      timestamp(endSeconds),
    ];
  });
  // Behind the last word come a full stop and a timestamp.
  const path = stutters ? said.slice(0, -2) : [...said, endOfText];
  const transitions = path.slice(0, -1).map((from, index) => single(from, path[index + 1] ?? endOfText));
  if (stutters) transitions.push(single(path.at(-1) ?? endOfText, path.at(-1) ?? endOfText));
  const [opening = endOfText] = said;
  // whisper.cpp takes the probability of this token right after the start for that of silence.
  const silence = { token: noSpeech, weight: transcribe === undefined ? 0.6 : 1 };
  if (transcribe === undefined)
    transitions.push({ from: startOfTranscript, to: [{ token: opening, weight: 1 }, silence] });
  else {
    const german = startOfTranscript + 3;
    transitions.push({ from: startOfTranscript, to: [{ token: german, weight: 1 }, silence] });
    transitions.push(single(transcribe, opening));
  }
  transitions.push(single(noTimestamps, said[1] ?? endOfText));
  return transitions;
}

const single = (from: number, token: number): Transition => ({ from, to: [{ token, weight: 1 }] });
