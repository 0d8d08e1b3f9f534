import type { Intent } from '../text/wording.ts';

/** Something that a user tells about himself: how it is told, asked for, and answered. */
export interface Memory {
  readonly told: Intent;
  readonly asked: readonly string[];
  readonly answer: string;
  /** The answer where it was not told. */
  readonly untold: string;
  /** Questions whether VALUE is right. */
  readonly checks: readonly string[];
  readonly value: string;
}

/** What makes up a memory, before the ways to tell it and to ask for it are multiplied. */
export interface Plan {
  /** "my name is Anna" */
  readonly statements: readonly string[];
  /** Whole messages that tell it. */
  readonly messages?: readonly string[];
  readonly reply: string;
  /** "my name" */
  readonly things: string;
  /** "what my name is" */
  readonly clauses: string;
  /** "how am I called" */
  readonly questions: readonly string[];
  readonly answer: string;
  readonly untold: string;
  readonly checks: readonly string[];
  readonly value: string | number;
}

const remember =
  '(remember|please remember|note|please note|keep in mind|do not forget|you should know|I want you to know|I should say|' +
  "let me tell you|write down|I must tell you|be aware|please keep in mind|don't forget|I would like you to remember)";
const aside =
  '(by the way,|for your information,|just so you know,|one thing about me:|note this:|remember this:|oh, and|well,|also,|' +
  'before I forget:|as for me,|to start with,|a fact about me:|listen,|hey,|so,|for later:|yes,)';
const after =
  '(please remember that|remember that|keep that in mind|just so you know|do not forget it|note that)';
const tail = '(||||, please|, by any chance|, again|, once more|, if you know it|, if you remember)';
const lead =
  '(|||||tell me, |remind me: |quiz: |now, |so |and |well, |please, |hey, |now a test: |ok, |by the way, |again: )';

/** Many ways to tell it and to ask for it. */
export function build(plan: Plan): Memory {
  const { statements, messages = [], reply, things, clauses, questions, answer, untold, checks } = plan;
  const told = `(${statements.join('|')})`;
  return {
    told: {
      questions: [
        `${told}.`,
        `${told}.`,
        `${told}(|.|!)`,
        `${remember}(| that| this:) ${told}.`,
        `${aside} ${told}.`,
        `${told}, ${after}.`,
        `${told}. (Please remember it.|Remember that.|Can you remember that?|Keep it in mind.|Will you remember that?|I will ask you later.)`,
        ...messages,
      ],
      answer: reply,
    },
    asked: [
      ...questions.map((question) => `${lead}${question}?`),
      ...questions.map((question) => `${question}${tail}?`),
      `(do you (still |)(remember|know|recall|have)|can you (still |)(tell me|say|remember|recall|name)|could you (please |)tell me) ${things}${tail}?`,
      `(do you (still |)(know|remember|recall)|can you (still |)(tell me|say|recall)|could you (please |)tell me|tell me (again |)|please tell me|would you know|are you able to say|any idea) ${clauses}${tail}?`,
      `(I forgot|I have forgotten|remind me|I want to know|I would like to know|I wonder|let me hear|I am curious|I need to know|I do not remember|say|repeat|please say|show that you know) ${clauses}.`,
      `(tell me|say|name|repeat|give me|remind me of|recall|please name|please repeat|state|I need|I forgot) ${things}${tail}.`,
      `${clauses}, (do you (still |)(know|remember|recall)|can you (say|tell me|remember)|please tell me|do you know it|did you note that)?`,
      `(what|and what) (is|was) ${things}(| again| once more)?`,
      `(what about|how about|and) ${things}?`,
      `${things}(?|, please.|, what was it?|: do you remember?|: what is it?|, do you know it?|, please tell me.)`,
      `(did I (tell you|mention|say)|have I (told you|mentioned|said)|did you note|have you noted|you know) ${clauses}(| already| before)?`,
      `(what did I (say|tell you|write) about|what do you know about|what have you noted about) ${things}?`,
      `(I (told|gave) you|you know|you should know|you have heard|I mentioned|I wrote) ${things}(.|:|,) (what is it|which is it|what was it|can you repeat it|say it again|tell me)?`,
    ],
    answer,
    untold,
    checks,
    value: String(plan.value),
  };
}
