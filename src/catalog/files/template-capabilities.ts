/** Tags around thoughts, and names of variables and fields about thinking. */
const thinking =
  /<\/?(?:seed:)?think>|\[\/?THINK\]|<\|\/?think\|>|◁\/?think▷|thinking|THINKING|reasoning_[a-z]|\.reasoning\b/;
/** The variable `tools`, behind what may come before a variable. */
const tools = /(?:\b(?:if|in|not|and|or)|[-({=,|])\s{0,9}tools\b/;

/** Whether the text of a chat template looks as if it showed tools. Whoever renders it, as the first load does, knows. */
export const templateTakesTools = (template: string): boolean => tools.test(withoutComments(template));

/** Whether the text of a chat template looks as if it knew thinking; see `templateTakesTools`. */
export const templateKnowsThinking = (template: string): boolean => thinking.test(withoutComments(template));

function withoutComments(template: string): string {
  const [first = '', ...rest] = template.split('{#');
  return [first, ...rest.map((part) => part.slice(part.indexOf('#}') + 1))].join(' ');
}
