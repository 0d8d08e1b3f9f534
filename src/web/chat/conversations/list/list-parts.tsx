// Parts of the list of chats that are loaded when something is done with one.
import { useEffect, useRef } from 'preact/hooks';
import { go } from '../../../state/route.ts';
import { t } from '../../../words/dialog-texts.ts';
import { Button } from '../../../ui/controls.tsx';
import { ask } from '../../../ui/overlays/ask.tsx';
import { loadTransfer } from '../save-conversations.ts';
import { conversations, removeConversations } from '../store.ts';
import './left-note.css';

/** A chat is no more where it was: `text` tells so, and `undo` takes it back. */
export interface Left {
  readonly text: string;
  readonly undo: () => unknown;
}

/** How long an act is told of, and can be taken back. */
const saidForMs = 15_000;

/** That a chat was archived or deleted, and the way back, for some seconds. The keyboard goes on there. */
export function LeftNote({ text, undo, onEnd }: Left & { onEnd: () => void }) {
  const note = useRef<HTMLOutputElement>(null);
  useEffect(() => {
    setTimeout(() => {
      // Whoever writes goes on.
      if (document.activeElement?.matches('input, textarea') !== true)
        note.current?.querySelector('button')?.focus();
    });
    const timer = setTimeout(onEnd, saidForMs);
    return () => clearTimeout(timer);
  }, [undo]);
  return (
    <output ref={note}>
      {text}{' '}
      <Button
        class="plain-link"
        text={t.chat.undo}
        onClick={() => {
          undo();
          onEnd();
        }}
      />
    </output>
  );
}

interface TitleProps {
  readonly title: string;
  readonly onDone: (next: string, byKey: boolean) => void;
}

/** A chat's title, which is being written. */
export function TitleField({ title, onDone }: TitleProps) {
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    input.current?.focus();
    input.current?.select();
  }, []);
  return (
    <input
      aria-label={t.chat.rename}
      defaultValue={title}
      ref={input}
      onBlur={({ currentTarget }) => onDone(currentTarget.value, false)}
      onKeyDown={(event) => {
        if (event.key !== 'Enter' && event.key !== 'Escape') return;
        event.stopPropagation();
        onDone(event.key === 'Enter' ? event.currentTarget.value : '', true);
      }}
    />
  );
}

/** Asks before all chats of this browser are deleted, which can be taken back for a while. */
export function removeAll(onLeft: (left: Left) => void): void {
  const { length: count } = conversations.value;
  const removeNow = async () => {
    const undo = await removeConversations(conversations.value.map(({ id }) => id));
    onLeft({ text: t.chat.removedAll(count), undo });
    go('chat');
  };
  ask({
    action: t.chat.removeAll(count),
    question: t.chat.removeAllQuestion(count),
    onConfirm: () => void removeNow(),
  });
}

const prevent = (event: Event) => event.preventDefault();

/** Takes the chats of a file over, and tells how far it is and, for some seconds, how it ended. */
export async function importFile(file: File, tell: (outcome: string) => void): Promise<void> {
  const { importConversations } = await loadTransfer();
  // The browser asks before it leaves in the middle of it.
  addEventListener('beforeunload', prevent);
  const imported = await importConversations(await file.text(), (done, all) =>
    tell(t.chat.importing(done, all)),
  ).finally(() => removeEventListener('beforeunload', prevent));
  tell(imported === undefined ? t.chat.importFailed : t.chat.imported(imported.brought, imported.known));
  setTimeout(() => tell(''), saidForMs);
}
