import './found-words.css';

/**
 * Marks `words` in the message of that id, in large or small letters, and shows the first, whose element has
 * `data-found` then; gives back a function that takes the marks away.
 */
export function markWords(messageId: string, words: string): () => void {
  const message = document.querySelector(`[data-id="${CSS.escape(messageId)}"]`);
  // An older browser shows the message without marks.
  if (message === null || !('highlights' in CSS)) return () => undefined;
  let first: HTMLElement | null | undefined;
  const mark = () => {
    const ranges = rangesOf(message, words.toLowerCase());
    CSS.highlights.set('found', new Highlight(...ranges));
    first?.removeAttribute('data-found');
    first = ranges[0]?.startContainer.parentElement;
    first?.setAttribute('data-found', '');
  };
  mark();
  first?.scrollIntoView({ block: 'center' });
  // Its text is written anew when the code for Markdown, formulas or diagrams has come.
  const watched = new MutationObserver(mark);
  watched.observe(message, { childList: true, subtree: true });
  return () => {
    watched.disconnect();
    CSS.highlights.delete('found');
    first?.removeAttribute('data-found');
  };
}

/** Where `message` has `words`, which are in small letters. */
function rangesOf(message: Element, words: string): Range[] {
  const ranges: Range[] = [];
  const texts = document.createTreeWalker(message, NodeFilter.SHOW_TEXT);
  for (let node = texts.nextNode(); node !== null; node = texts.nextNode()) {
    const text = node.nodeValue?.toLowerCase() ?? '';
    for (let at = text.indexOf(words); at >= 0; at = text.indexOf(words, at + words.length)) {
      const range = new Range();
      range.setStart(node, at);
      range.setEnd(node, at + words.length);
      ranges.push(range);
    }
  }
  return ranges;
}
