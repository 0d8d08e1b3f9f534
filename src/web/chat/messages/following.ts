import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';

/** How near to the end, in pixels, the person must be for the view to follow the answer. */
const nearPx = 80;

interface Box {
  readonly current: HTMLDivElement | null;
}

/**
 * Keeps the end of `box` in sight while the person is there, however its content grows: heights of messages that were
 * never on the screen are guesses, and change when they come near it. A message that is being edited is kept in sight
 * instead. A new answer goes to the end. `soughtId`: a message that is kept in sight until the person scrolls.
 */
export function useFollowing(
  box: Box,
  hasMessages: boolean,
  answerId: string | undefined,
  soughtId: string | undefined,
) {
  const [isAway, setIsAway] = useState(false);
  const state = useRef({
    follows: hasMessages && soughtId === undefined,
    sought: soughtId,
    top: 0,
    most: 0,
  });
  const lastAnswerId = useRef(answerId);
  const follow = () => {
    const element = box.current;
    if (element === null) return;
    look(element);
    const { follows, sought } = state.current;
    const find = (selector: string) => sought && element.querySelector(selector);
    const edited = element.querySelector('.editor');
    const target = find('[data-found]') ?? find(`[data-id="${CSS.escape(sought ?? '')}"]`);
    if (target) target.scrollIntoView({ block: 'center' });
    else if (follows && edited !== null) edited.scrollIntoView({ block: 'nearest' });
    else if (follows) element.scrollTop = element.scrollHeight;
    state.current = { ...state.current, top: element.scrollTop, most: mostTop(element) };
  };
  /** A person goes up while the end stays where it is; the browser itself does so only where the end comes nearer. */
  const look = (element: HTMLDivElement) => {
    const top = element.scrollTop;
    const most = mostTop(element);
    const last = state.current;
    const isUp = top < last.top - 1 && most >= last.most;
    const isNear = most - top < nearPx;
    if (isUp) state.current.follows = false;
    else if (isNear && top > last.top) state.current.follows = true;
    state.current.top = top;
    state.current.most = most;
    setIsAway(most - top > 2 * nearPx);
  };
  const goToEnd = () => {
    state.current = { follows: true, sought: undefined, top: 0, most: 0 };
    follow();
  };
  useLayoutEffect(() => {
    // That an answer ends is no reason to go anywhere.
    if (answerId !== undefined && answerId !== lastAnswerId.current) goToEnd();
    lastAnswerId.current = answerId ?? lastAnswerId.current;
  }, [answerId]);
  useLayoutEffect(() => {
    if (soughtId !== undefined) state.current = { ...state.current, sought: soughtId, follows: false };
  }, [soughtId]);
  useLayoutEffect(follow);
  useWatching(box, {
    onScroll: look,
    onInput: () => (state.current.sought = undefined),
    onResize: follow,
  });
  return { isAway, goToEnd };
}

const mostTop = ({ scrollHeight, clientHeight }: HTMLElement) => scrollHeight - clientHeight;

interface Watchers {
  readonly onScroll: (box: HTMLDivElement) => void;
  /** The person does something with the box. */
  readonly onInput: () => void;
  /** The box, or its content, has another size. */
  readonly onResize: () => void;
}

function useWatching(box: Box, { onScroll, onInput, onResize }: Watchers): void {
  useEffect(() => {
    const element = box.current;
    if (element === null) return;
    const leaving = new AbortController();
    const options = { passive: true, signal: leaving.signal };
    element.addEventListener('scroll', () => onScroll(element), options);
    for (const input of ['wheel', 'touchmove', 'keydown', 'pointerdown'])
      element.addEventListener(input, onInput, options);
    const resized = new ResizeObserver(onResize);
    for (const one of [element, element.firstElementChild]) if (one !== null) resized.observe(one);
    return () => {
      leaving.abort();
      resized.disconnect();
    };
  }, []);
}
