const mostChars = 60;

/** A model's text as a title of the conversation `text`; undefined: it is none, and says nothing of that. */
export function toTitle(written: string, text: string): string | undefined {
  const title = written
    .trim()
    .replace(/^\W*(?:title|titel|titre|título)\W*:/iu, '')
    .replaceAll(/^[\s"'“”„«»‘’*_`#]+|[\s"'“”„«»‘’*_`.]+$/g, '');
  if (title.length > mostChars || !/\p{L}/u.test(title) || /[\p{C}"“”<>{}|\\]/u.test(title)) return undefined;
  const said = text.toLowerCase();
  const words = title.toLowerCase().match(/\p{Script=Han}{2}|\p{Script=Katakana}{2}|\p{L}{4,}/gu) ?? [];
  // One word that begins like one of the conversation: a model that babbles has none.
  return words.some((word) => said.includes(word.slice(0, 6))) ? title : undefined;
}
