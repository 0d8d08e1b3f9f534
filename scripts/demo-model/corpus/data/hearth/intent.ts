import type { Intent } from '../../wording.ts';

/** What somebody may ask about hearth, and the answer. The texts are templates for `vary`. */
export interface HearthTopic {
  /** What somebody wants to do: "make a key". */
  readonly how?: string;
  /** A thing to have explained: "a plan". */
  readonly what?: string;
  /** Whole questions. */
  readonly questions?: readonly string[];
  readonly answer: string;
}

/** The questions of the topic in every usual way to ask. */
export function toIntent({ how, what, questions = [], answer }: HearthTopic): Intent {
  const inHearth = '(||| in hearth| with hearth)';
  return {
    questions: [
      ...questions,
      ...questions.map((question) => `(in hearth,|about hearth:|with hearth:|) ${question}`),
      ...(how === undefined
        ? []
        : [
            `how (do|can|should|would) I ${how}${inHearth}?`,
            `how (do|can) (you|we|I) ${how}${inHearth}?`,
            `how to ${how}${inHearth}?`,
            `(I want to|I need to|I would like to|I'd like to|help me|please help me) ${how}${inHearth}.`,
            `(what is the|what's the|which|give me the|show me the) (command|way) to ${how}?`,
            `(show me|tell me|explain|can you tell me|can you show me|do you know) how to ${how}${inHearth}.`,
            `(is there a way to|is it possible to|can I|may I) ${how}${inHearth}?`,
            `what (do I|must I|should I) (type|do|run) to ${how}?`,
          ]),
      ...(what === undefined
        ? []
        : [
            `(what is|what's|what exactly is) ${what}${inHearth}?`,
            `(explain|describe|tell me about) ${what}${inHearth}.`,
            `(what do you know about|what about|tell me more about) ${what}?`,
            `(can you explain|could you explain|please explain) ${what}${inHearth}?`,
            `what is ${what} (for|good for)?`,
            `(what is meant by|what do you mean by|what is the meaning of) ${what}?`,
          ]),
    ],
    answer,
  };
}
