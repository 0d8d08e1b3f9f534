import { scanJinja } from './jinja-scan.ts';

/** The marks with which chat templates begin or end a thought. */
const thoughtTag =
  /<\/?(?:seed:)?think(?:ing)?>|\[\/?THINK\]|<\|(?:START|END)_THINKING\|>|<\|\/?think(?:ing)?\|>|◁\/?think▷/i;
/** Template variables and message fields about thinking: enable_thinking, reasoning_effort, reasoning_content … */
const thoughtName = /^(?:\w*thinking\w*|reasoning|reasoning_\w+)$/;
/** The same for a word in quotes, where plain `reasoning` may be any text. */
const quotedThoughtName = /thinking|^reasoning_/;

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
