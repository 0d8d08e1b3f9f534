import { useEffect } from 'preact/hooks';
import { importPart } from './api/connection.ts';
import { liveIn } from './chat/answers/answer.ts';
import { go, routeParts, type ViewName } from './state/route.ts';
import { openDialog } from './ui/overlays/dialog.tsx';
import { lazyPart } from './ui/rendering/lazy-part.tsx';
import { goWrite } from './chat/composer/keyboard.ts';

const ShortcutDialog = lazyPart(async () => (await import('./more-dialog.tsx')).ShortcutDialog);

/** Listens for the shortcuts of the whole page, and lists them under `?`. A view opens by the first letter of its name. */
export function Shortcuts({ views }: { views: readonly ViewName[] }) {
  useEffect(() => {
    let afterG = false;
    const pressed = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.altKey) return;
      const isHeld = event.ctrlKey || event.metaKey;
      if (isHeld && (event.key !== 'k' || document.querySelector('dialog[open]') !== null)) return;
      if (event.key === 'Escape') stopAnswer();
      if (!isHeld && isWriting(event.target)) return;
      afterG &&= !isHeld;
      const view = afterG ? views.find(([letter]) => letter === event.key) : undefined;
      const action = afterG ? view && (() => go(view)) : actions[isHeld ? 's' : event.key];
      afterG = event.key === 'g';
      if (event.key === '?') openDialog((close) => <ShortcutDialog views={views} onClose={close} />);
      else if (action === undefined) return;
      else action();
      event.preventDefault();
    };
    addEventListener('keydown', pressed);
    return () => removeEventListener('keydown', pressed);
  }, [views]);
  return null;
}

const searchChats = (): void =>
  void importPart(() => import('./chat/conversations/list/search-keys.ts')).then((keys) =>
    keys.searchChats(),
  );

const actions: Readonly<Record<string, () => void>> = {
  n: () => {
    go('chat');
    // The view shows first.
    setTimeout(goWrite);
  },
  '/': goWrite,
  s: searchChats,
};

function isWriting(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.closest('input, textarea, select, dialog') !== null;
}

function stopAnswer(): void {
  const [, id = ''] = routeParts.value;
  if (document.querySelector('dialog[open]') === null) for (const live of liveIn(id)) live.stop();
}
