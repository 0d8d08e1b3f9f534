/** The marks with which chat templates begin or end a thought. */
const thoughtTag =
  /<\/?(?:seed:)?think(?:ing)?>|\[\/?THINK\]|<\|(?:START|END)_THINKING\|>|<\|\/?think(?:ing)?\|>|◁\/?think▷/i;
/** Template variables and message fields about thinking: enable_thinking, reasoning_effort, reasoning_content … */
const thoughtName = /^(?:\w*thinking\w*|reasoning|reasoning_\w+)$/;
/** The same for a word in quotes, where plain `reasoning` may be any text. */
const quotedThoughtName = /thinking|^reasoning_/;

const maxWordLength = 64;

/** Whether a chat template renders the tools that a request offers: it uses the variable `tools`. */
export function templateTakesTools(template: string): boolean {
  return scanJinja(template).variables.has('tools');
}

/** Whether a chat template knows thinking: a tag around thoughts, or a variable or field about them. */
export function templateKnowsThinking(template: string): boolean {
  const { uncommented, variables, fields, quotedWords } = scanJinja(template);
  if (thoughtTag.test(uncommented)) return true;
  for (const name of [...variables, ...fields]) if (thoughtName.test(name)) return true;
  for (const word of quotedWords) if (quotedThoughtName.test(word)) return true;
  return false;
}

/** What a template's code mentions. */
interface JinjaMentions {
  /** The template without its comments. */
  uncommented: string;
  /** Bare names in expressions and statements, keywords included. */
  readonly variables: Set<string>;
  /** Names after a dot. */
  readonly fields: Set<string>;
  /** Quoted texts that are a single word: message['content'] mentions `content`. */
  readonly quotedWords: Set<string>;
}

/**
 * Names that the code of a Jinja template mentions, found without running it, in one pass over the text: templates
 * come from untrusted files, and a backtracking pattern could be made to hang.
 */
function scanJinja(template: string): JinjaMentions {
  const mentions = {
    uncommented: '',
    variables: new Set<string>(),
    fields: new Set<string>(),
    quotedWords: new Set<string>(),
  };
  const opening = /\{[{%#]/g;
  let position = 0;
  for (let open = opening.exec(template); open !== null; open = opening.exec(template)) {
    const { index } = open;
    mentions.uncommented += template.slice(position, index);
    if (open[0] === '{#') {
      const close = template.indexOf('#}', index + 2);
      position = close === -1 ? template.length : close + 2;
    } else {
      position = scanCode(template, index + 2, open[0] === '{{' ? '}}' : '%}', mentions);
      mentions.uncommented += template.slice(index, position);
    }
    opening.lastIndex = position;
  }
  mentions.uncommented += template.slice(position);
  return mentions;
}

/** Index after the code that starts at `from` and after its closing mark; adds the names in it to `mentions`. */
function scanCode(
  template: string,
  from: number,
  closing: string,
  { variables, fields, quotedWords }: JinjaMentions,
): number {
  const word = /\w+/y;
  let position = from;
  while (position < template.length) {
    if (template.startsWith(closing, position)) return position + closing.length;
    const character = template.charAt(position);
    word.lastIndex = position;
    const [name] = word.exec(template) ?? [];
    if (name !== undefined) {
      const names = template[position - 1] === '.' ? fields : variables;
      if (name.length <= maxWordLength) names.add(name);
      position += name.length;
    } else if (character === "'" || character === '"') {
      const end = endOfQuoted(template, position);
      if (end - position <= maxWordLength + 2) {
        const text = template.slice(position + 1, end - 1);
        if (/^\w+$/.test(text)) quotedWords.add(text);
      }
      position = end;
    } else position++;
  }
  return position;
}

/** Index after the closing quote of the text that opens at `open`, or the end of the template. */
function endOfQuoted(template: string, open: number): number {
  let position = open + 1;
  while (position < template.length && template[position] !== template[open])
    position += template[position] === '\\' ? 2 : 1;
  return Math.min(position + 1, template.length);
}
