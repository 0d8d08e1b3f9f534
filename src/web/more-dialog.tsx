import { useState } from 'preact/hooks';
import { go } from './state/route.ts';
import { isRemembered, remember, signOut } from './state/session.ts';
import { theme, type Theme } from './state/theme.ts';
import { t } from './texts.ts';
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
      <label class="check">
        <input
          type="checkbox"
          checked={isRemembered.value}
          onChange={({ currentTarget }) => remember(currentTarget.checked)}
        />
        {t.signIn.remember}
      </label>
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
