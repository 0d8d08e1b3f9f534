import { useState } from 'preact/hooks';
import { go } from './state/route.ts';
import { copyProblem, removeServerCopies } from './chat/conversations/server-copies.ts';
import { isKept, keepOnServer } from './state/kept-on-server.ts';
import { messageOf } from './state/polled.ts';
import { canChat, isRemembered, remember, signOut } from './state/session.ts';
import { theme, type Theme } from './state/theme.ts';
import { t } from './texts.ts';
import { Check, Problem } from './ui/controls.tsx';
import { Confirm, Dialog } from './ui/dialog.tsx';
import { ShortcutList } from './shortcuts.tsx';

const themes: readonly Theme[] = ['system', 'light', 'dark'];

/** Settings of the whole page: its theme, its session, its keys. */
export function MoreDialog({ onClose }: { onClose: () => void }) {
  const [leaving, setLeaving] = useState(false);
  return (
    <Dialog title={t.more.title} onClose={onClose}>
      <div class="segmented" role="group" aria-label={t.more.theme}>
        {themes.map((name) => (
          <button
            key={name}
            type="button"
            aria-pressed={name === theme.value}
            onClick={() => {
              theme.value = name;
            }}
          >
            {t.more.themes[name]}
          </button>
        ))}
      </div>
      <Check label={t.signIn.remember} isOn={isRemembered.value} onChange={remember} />
      {canChat.value && <ServerCopies />}
      <p class="more-links">
        <a href="docs">{t.more.reference}</a> · <a href="docs/pages">{t.more.handbook}</a>
      </p>
      <h3>{t.shortcuts.title}</h3>
      <ShortcutList />
      <div class="actions">
        <button type="button" onClick={() => setLeaving(true)}>
          {t.signIn.signOut}
        </button>
      </div>
      {leaving && (
        <Confirm
          question={t.signIn.signOutQuestion}
          action={t.signIn.signOut}
          onClose={() => setLeaving(false)}
          onConfirm={() => {
            signOut();
            go('chat');
          }}
        />
      )}
    </Dialog>
  );
}

/** Whether the chats are at the server too, and the way to delete them there. */
function ServerCopies() {
  const [asking, setAsking] = useState(false);
  const [problem, setProblem] = useState<string>();
  const remove = async () => {
    keepOnServer(false);
    await removeServerCopies().catch((error: unknown) => setProblem(messageOf(error)));
  };
  return (
    <>
      <Check label={t.more.keepChats} isOn={isKept.value} onChange={keepOnServer} />
      <p class="quiet">
        {t.more.keepChatsHint}{' '}
        <button type="button" class="plain-link" onClick={() => setAsking(true)}>
          {t.more.removeChats}
        </button>
      </p>
      <Problem text={problem ?? copyProblem.value} />
      {asking && (
        <Confirm
          question={t.more.removeChatsQuestion}
          action={t.more.removeChats}
          onClose={() => setAsking(false)}
          onConfirm={() => void remove()}
        />
      )}
    </>
  );
}
