import { useEffect, useState } from 'preact/hooks';
import { lazy, Suspense } from 'preact/compat';
import { ChatView } from './chat/chat-view.tsx';
import { SignIn } from './sign-in.tsx';
import { Shortcuts } from './shortcuts.tsx';
import { canChat, isAdmin, signedIn, signInByCode, signOut, signOutReason } from './state/session.ts';
import { go, routeParts, takeSignInCode, type ViewName } from './state/route.ts';
import { theme, type Theme } from './state/theme.ts';
import { t } from './texts.ts';
import { IconButton } from './ui/controls.tsx';
import { Icon } from './ui/icon.tsx';

/** The views, in the order of the navigation. All but the chat are loaded when they are first opened. */
const views = {
  chat: { component: ChatView, needs: 'user' },
  speech: {
    component: lazy(async () => ({ default: (await import('./speech/speech-view.tsx')).SpeechView })),
    needs: 'user',
  },
  limits: {
    component: lazy(async () => ({ default: (await import('./keys/limits-view.tsx')).LimitsView })),
    needs: 'user',
  },
  models: {
    component: lazy(async () => ({ default: (await import('./models/models-view.tsx')).ModelsView })),
    needs: 'admin',
  },
  keys: {
    component: lazy(async () => ({ default: (await import('./keys/keys-view.tsx')).KeysView })),
    needs: 'admin',
  },
  usage: {
    component: lazy(async () => ({ default: (await import('./usage/usage-view.tsx')).UsageView })),
    needs: 'any',
  },
  now: {
    component: lazy(async () => ({ default: (await import('./now/now-view.tsx')).NowView })),
    needs: 'admin',
  },
} as const;

const names = Object.keys(views) as ViewName[];

export function App() {
  const [ready, setReady] = useState(false);
  useEffect(() => {
    const code = takeSignInCode();
    const signing = code === undefined ? Promise.resolve() : signInByCode(code);
    void signing
      .catch(() => {
        signOutReason.value = t.signIn.codeRefused;
      })
      .then(() => setReady(true));
  }, []);
  if (!ready) return null;
  if (!signedIn.value) return <SignIn />;
  const name = names.find((one) => one === routeParts.value[0]) ?? 'chat';
  const { component: View, needs } = views[name];
  const isOpen = needs === 'any' || (needs === 'admin' ? isAdmin.value : canChat.value);
  return (
    <div class="shell">
      <a class="skip" href="#main">
        {t.shell.skip}
      </a>
      <Navigation current={name} />
      <main id="main">
        {isOpen ? (
          <Suspense fallback={<p class="note">{t.shell.loading}</p>}>
            <View />
          </Suspense>
        ) : (
          <SignIn needs={needs === 'admin' ? 'admin' : 'user'} />
        )}
      </main>
      <Shortcuts />
    </div>
  );
}

function Navigation({ current }: { current: ViewName }) {
  return (
    <nav class="views" aria-label={t.shell.menu}>
      <a class="brand" href="#/chat" aria-label="hearth">
        <img src="./icon.svg" alt="" width="28" height="28" />
      </a>
      {names
        .filter((name) => (isAdmin.value ? name !== 'limits' : views[name].needs !== 'admin'))
        .map((name) => (
          <a key={name} href={`#/${name}`} aria-current={name === current ? 'page' : undefined}>
            <Icon name={name} />
            <span>{t.views[name]}</span>
          </a>
        ))}
      <a href="docs" class="api-link">
        <Icon name="api" />
        <span>{t.views.api}</span>
      </a>
      <span class="spacer" />
      <ThemeButton />
      <IconButton
        icon="out"
        label={t.signIn.signOut}
        onClick={() => {
          signOut();
          go('chat');
        }}
      />
    </nav>
  );
}

const nextTheme: Readonly<Record<Theme, Theme>> = { system: 'light', light: 'dark', dark: 'system' };

function ThemeButton() {
  return (
    <IconButton
      icon={theme.value}
      label={t.shell.theme[theme.value]}
      onClick={() => {
        theme.value = nextTheme[theme.value];
      }}
    />
  );
}
