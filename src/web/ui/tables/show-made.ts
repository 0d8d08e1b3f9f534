/** Lists that are not filtered come within this time. */
const patienceMs = 10_000;

let stop = () => {};

/** Brings the row of a new thing into sight, and marks it for a moment, once it is there and no dialog hides it. */
export function showMade(id: string): void {
  stop();
  const isHidden = () => document.querySelector('dialog[open]') !== null;
  const look = () => {
    const row = document.querySelector(`tr[data-id="${CSS.escape(id)}"]`);
    if (row === null || isHidden()) return;
    stop();
    row.scrollIntoView({ block: 'center' });
    row.classList.add('made');
    row.addEventListener('animationend', () => row.classList.remove('made'), { once: true });
  };
  const changes = new MutationObserver(look);
  changes.observe(document.body, { childList: true, subtree: true });
  const timer = setInterval(() => isHidden() || stop(), patienceMs);
  stop = () => {
    changes.disconnect();
    clearInterval(timer);
  };
}
