import { go } from '../../../state/route.ts';
import { goWrite } from '../../composer/keyboard.ts';

const searchBox = () => document.querySelector<HTMLInputElement>('#chat-search');

/** Leads to the search of chats, whatever view is open and however narrow the screen is. */
export function searchChats(): void {
  if (searchBox() === null) go('chat');
  // The view shows first, and then the list.
  setTimeout(() => {
    if (searchBox()?.offsetParent === null) document.getElementById('open-chats')?.click();
    setTimeout(() => searchBox()?.focus());
  });
}

/** From the first time on: the arrow keys go through the search and the chats below it; Enter opens the first of these, Escape leads back. */
function walk(event: KeyboardEvent): void {
  const { target, key, isComposing } = event;
  const stops = [...document.querySelectorAll<HTMLElement>('#chat-search, .conversations .list a')];
  const at = stops.findIndex((stop) => stop === target);
  if (at < 0 || isComposing) return;
  const next = { ArrowDown: stops[at + 1], ArrowUp: stops[at - 1] }[key];
  const isOpening = key === 'Enter' && at === 0 && stops[1] !== undefined;
  if (next === undefined && !isOpening && key !== 'Escape') return;
  next?.focus();
  if (isOpening) stops[1]?.click();
  if (next === undefined) setTimeout(leave);
  // An answer that is being written goes on.
  event.preventDefault();
}

function leave(): void {
  const box = searchBox();
  if (box !== null) box.value = '';
  box?.dispatchEvent(new Event('input', { bubbles: true }));
  goWrite();
}

addEventListener('keydown', walk, true);
