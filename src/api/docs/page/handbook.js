// The search over all pages, and a button beside each code that copies it.
const field = document.querySelector('search input');
const found = document.querySelector('search ul');
let parts;

async function search() {
  parts ??= fetch('search.json').then((response) => response.json());
  const all = await parts;
  const words = field.value.toLowerCase().split(/\s+/).filter(Boolean);
  const has = (text) => words.every((word) => text.toLowerCase().includes(word));
  const inTitle = all.filter(({ page, title }) => has(`${page} ${title}`));
  const inText = all.filter(
    (part) => !inTitle.includes(part) && has(`${part.page} ${part.title} ${part.text}`),
  );
  const shown = words.length === 0 ? [] : [...inTitle, ...inText].slice(0, 12);
  found.replaceChildren(...shown.map(toItem));
  if (words.length > 0 && shown.length === 0) found.textContent = 'Nothing was found.';

  function toItem({ page, title, href, text }) {
    const item = document.createElement('li');
    const link = document.createElement('a');
    const excerpt = document.createElement('small');
    link.href = href;
    link.textContent = title === page ? page : `${page}: ${title}`;
    excerpt.append(...excerptOf(text, words[0]));
    link.append(excerpt);
    item.append(link);
    return item;
  }
}

/** Whole words around `word`, which is marked, or the beginning of a text that has it in its title only. */
function excerptOf(text, word) {
  const at = text.toLowerCase().indexOf(word);
  const end = at < 0 ? 0 : at + word.length;
  const mark = document.createElement('mark');
  mark.textContent = text.slice(Math.max(0, at), end);
  const before = text.slice(0, Math.max(0, at));
  const after = text.slice(end);
  return [
    before.length > 40 ? before.slice(-40).replace(/^\S*\s/, '… ') : before,
    mark,
    after.length > 60 ? after.slice(0, 60).replace(/\s\S*$/, ' …') : after,
  ];
}

field.addEventListener('input', () => void search());
field.addEventListener('focus', () => void search());
// A phone has no Escape: a press on a page or a part, or beside what was found, leaves both lists.
addEventListener('click', ({ target }) => {
  if (target !== field) found.replaceChildren();
  if (target.closest('nav a')) document.getElementById('pages').hidePopover();
});
addEventListener('keydown', (event) => {
  const links = [...found.querySelectorAll('a')];
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (event.key === '/' && document.activeElement === document.body) {
    event.preventDefault();
    field.focus();
  } else if (event.key === 'Escape') {
    field.value = '';
    found.replaceChildren();
  } else if (event.key === 'Enter' && document.activeElement === field) links[0]?.click();
  else if (step !== undefined && document.activeElement.closest('search')) {
    event.preventDefault();
    const at = links.indexOf(document.activeElement) + step;
    (links[at] ?? field).focus();
  }
});

for (const pre of document.querySelectorAll('main pre:not(.output)')) {
  const box = document.createElement('div');
  const button = document.createElement('button');
  button.textContent = 'Copy';
  button.addEventListener('click', () => {
    // Pages without TLS have no other way to the clipboard.
    getSelection().selectAllChildren(pre);
    button.textContent = document.execCommand('copy') ? 'Copied' : 'Not copied';
    getSelection().removeAllRanges();
    setTimeout(() => (button.textContent = 'Copy'), 1500);
  });
  box.className = 'code';
  pre.replaceWith(box);
  box.append(pre, button);
}
