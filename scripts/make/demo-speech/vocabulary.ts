/** The token ids of a Whisper vocabulary (tokenizer.py in openai/whisper), and texts for some of them. */
export interface SpeechVocabulary {
  readonly size: number;
  /** Texts of the first ids: every byte, then words. The others have none. */
  readonly texts: readonly Uint8Array[];
  readonly endOfText: number;
  readonly startOfTranscript: number;
  /** undefined in an English model, as the language and the task are not said there. */
  readonly transcribe: number | undefined;
  readonly noSpeech: number;
  readonly noTimestamps: number;
  /** Stands for 0 s; each id further on for 20 ms more. */
  readonly firstTimestamp: number;
}

const byteCount = 256;

/** The vocabulary of a model that knows 99 languages, or English only, with these words. */
export function createVocabulary(words: readonly string[], multilingual: boolean): SpeechVocabulary {
  const bytes = Array.from({ length: byteCount }, (_, byte) => Uint8Array.of(byte));
  const texts = [...bytes, ...words.map((word) => Buffer.from(word))];
  if (multilingual)
    return {
      size: 51_865,
      texts,
      endOfText: 50_257,
      startOfTranscript: 50_258,
      transcribe: 50_359,
      noSpeech: 50_362,
      noTimestamps: 50_363,
      firstTimestamp: 50_364,
    };
  return {
    size: 51_864,
    texts,
    endOfText: 50_256,
    startOfTranscript: 50_257,
    transcribe: undefined,
    noSpeech: 50_361,
    noTimestamps: 50_362,
    firstTimestamp: 50_363,
  };
}

/** Id of a word of the vocabulary, or of a single character. Throws RangeError where there is none. */
export function wordToken({ texts }: SpeechVocabulary, word: string): number {
  const token = texts.findIndex((text) => Buffer.from(text).equals(Buffer.from(word)));
  if (token < 0) throw new RangeError(`there is no token ${JSON.stringify(word)}`);
  return token;
}
