/** A text under the name of its file, as models read it, between fences that it does not have itself. */
export function namedText(name: string, text: string): string {
  const fence = '`'.repeat(Math.max(3, longestFence(text) + 1));
  return `${name}:\n${fence}\n${text.trimEnd()}\n${fence}`;
}

/** The length of the longest fence in a text, which may consist of nothing else. */
function longestFence(text: string): number {
  let longest = 0;
  for (let at = text.indexOf('```'); at >= 0; at = text.indexOf('```', at)) {
    const start = at;
    while (text[at] === '`') at++;
    longest = Math.max(longest, at - start);
  }
  return longest;
}
