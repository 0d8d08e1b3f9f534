import { computed } from '@preact/signals';
import type { ComponentProps } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { answeredAtMs, isOffline, isServerAway, probe } from './api/connection.ts';
import { ChatView } from './chat/chat-view.tsx';
import { Shortcuts } from './shortcuts.tsx';
import {
  canChat,
  isAdmin,
  signedIn,
  signInByCode,
  signInByKey,
  signOutReason,
  asksToRemember,
} from './state/session.ts';
import {
  invitationCode,
  routeParts,
  takeSharedKey,
  takeSignInCode,
  takeSignInProblem,
  type ViewName,
} from './state/route.ts';
import { messageOf } from './state/polled.ts';
import { t } from './words/texts.ts';
import { Button } from './ui/controls.tsx';
import { openDialog, OpenDialogs } from './ui/overlays/dialog.tsx';
import { Icon } from './ui/icon.tsx';
import { lazyPart, loadAtRest } from './ui/rendering/lazy-part.tsx';
import { ViewFrame } from './ui/rendering/view-frame.tsx';
import { findConversation } from './chat/conversations/store.ts';

interface ViewRow extends Pick<ComponentProps<typeof ViewFrame>, 'view'> {
  /** The key that the view needs. */
  readonly needs: 'user' | 'admin' | 'any';
  /** The view that leads operators to it, in place of the navigation. */
  readonly within?: ViewName;
}

/** The views, in the order of the navigation, below which batches stand, for programs. All but the chat are loaded when they are first opened. */
const views = {
  chat: { view: ChatView, needs: 'user' },
  speech: {
    view: { load: async () => (await import('./speech/speech-view.tsx')).SpeechView },
    needs: 'user',
  },
  limits: {
    view: { load: async () => (await import('./limits/limits-view.tsx')).LimitsView },
    needs: 'user',
    within: 'usage',
  },
  models: {
    view: { load: async () => (await import('./models/models-view.tsx')).ModelsView },
    needs: 'admin',
  },
  keys: { view: { load: async () => (await import('./keys/keys-view.tsx')).KeysView }, needs: 'admin' },
  usage: { view: { load: async () => (await import('./usage/usage-view.tsx')).UsageView }, needs: 'any' },
  now: { view: { load: async () => (await import('./now/now-view.tsx')).NowView }, needs: 'admin' },
  batches: {
    view: { load: async () => (await import('./batches/batches-view.tsx')).BatchesView },
    needs: 'any',
  },
  audit: {
    view: { load: async () => (await import('./audit/audit-view.tsx')).AuditView },
    needs: 'admin',
    within: 'keys',
  },
} as const satisfies Record<ViewName, ViewRow>;

const SignIn = lazyPart(async () => (await import('./sign-in/sign-in.tsx')).SignIn);
const RememberQuestion = lazyPart(
  async () => (await import('./sign-in/remember-question.tsx')).RememberQuestion,
);
const Claim = lazyPart(async () => (await import('./sign-in/claim.tsx')).Claim);
const Reference = lazyPart(async () => (await import('./reference/reference.tsx')).Reference);
const NoticeMark = lazyPart(async () => (await import('./now/notice-mark.tsx')).NoticeMark);
const NoView = lazyPart(async () => (await import('./no-view.tsx')).NoView);
const MoreDialog = lazyPart(async () => (await import('./more-dialog.tsx')).MoreDialog);

const names = Object.keys(views) as ViewName[];
const inNavigation = computed(() =>
  names.filter((name) => {
    const { needs, within }: Pick<ViewRow, 'needs' | 'within'> = views[name];
    return isAdmin.value ? within === undefined : needs !== 'admin';
  }),
);

/** Those that stand in the settings on a phone, where they would be one too many. */
const folded = computed(() =>
  inNavigation.value.filter((name, _, { length }) => length > 6 && /^(speech|batches)$/.test(name)),
);

/** The view of each first part of an address; some lead to a part of a view. */
const places = new Map<string, ViewName>([
  ...names.map((name) => [name, name] as const),
  ['accounts', 'keys'],
  ['plans', 'keys'],
  ['invitations', 'keys'],
  ['notices', 'now'],
]);

/** Whether it was opened at the address of the reference. */
const isReference = location.pathname.endsWith('/docs');

export function App() {
  const [ready, setReady] = useState(false);
  const [invitation, setInvitation] = useState(invitationCode);
  useEffect(() => {
    const code = takeSignInCode();
    const key = takeSharedKey();
    const problem = takeSignInProblem();
    if (problem !== undefined)
      signOutReason.value = t.signIn.problems[problem] ?? t.signIn.problems['failed'];
    const signing =
      code !== undefined ? signInByCode(code) : key !== undefined ? signInByKey(key) : undefined;
    void (signing ?? Promise.resolve())
      .catch((error: unknown) => {
        signOutReason.value = key === undefined ? t.signIn.codeRefused : messageOf(error);
      })
      .then(() => setReady(true));
  }, []);
  useRest(ready && signedIn.value);
  if (!ready) return null;
  if (isReference) return <Reference />;
  if (invitation !== undefined) return <Claim code={invitation} onEnd={() => setInvitation(undefined)} />;
  if (!signedIn.value) return <SignIn />;
  const [place = ''] = routeParts.value;
  // An admin key alone cannot chat.
  const name = places.get(place) ?? (canChat.value ? 'chat' : 'now');
  const { view, needs } = views[name];
  const isOpen = needs === 'any' || (needs === 'admin' ? isAdmin.value : canChat.value);
  return (
    <div class="shell">
      <a class="skip" href="#main">
        {t.shell.skip}
      </a>
      <TabTitle view={name} />
      <Navigation current={name} />
      {/* The keyboard can scroll a view that has nothing to be pressed; a chat has. */}
      <main id="main" tabindex={name === 'chat' ? -1 : 0}>
        {isServerAway.value && <AwayBanner />}
        {place !== '' && !places.has(place) && (
          <NoView place={place} shown={name} onSettings={openSettings} />
        )}
        {asksToRemember.value && <RememberQuestion />}
        {isOpen ? (
          <ViewFrame key={name} view={view} title={t.views[name]} />
        ) : (
          <SignIn needs={needs === 'admin' ? 'admin' : name} />
        )}
      </main>
      <Shortcuts views={inNavigation.value} />
      <OpenDialogs />
    </div>
  );
}

/** Loads the views that the person may open, and all other parts, 4 seconds after the page `isReady`. */
function useRest(isReady: boolean): void {
  useEffect(() => {
    if (!isReady) return;
    const loads = inNavigation.value.map((name) => {
      const { view }: Pick<ViewRow, 'view'> = views[name];
      return async () => 'load' in view && (await view.load());
    });
    const timer = setTimeout(() => void loadAtRest(loads), restMs);
    return () => clearTimeout(timer);
  }, [isReady]);
}

const restMs = 4000;

const AwayBanner = () => (
  <div class="banner away" role="alert">
    <p>
      {isOffline.value ? t.errors.offline : t.errors.unreachable}{' '}
      <span class="as-it-was">{t.errors.asItWas(toDayTime(answeredAtMs))}</span>
    </p>
    <Button text={t.errors.tryNow} onClick={() => void probe()} />
  </div>
);

/** Such as `21:17`, or `Sunday 21:17` where the page has slept since. */
const toDayTime = (timeMs: number): string =>
  new Date(timeMs).toLocaleTimeString('en', {
    ...(Date.now() - timeMs > 4e7 && { weekday: 'long' }),
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  });

/** Names the browser's tab after the chat or view that is open, as long as somebody is signed in. */
function TabTitle({ view }: { view: ViewName }) {
  const [place = '', id = ''] = routeParts.value;
  // A part of a view is called as its place is.
  const isPart = place !== view && places.has(place);
  const name = isPart ? place.charAt(0).toUpperCase() + place.slice(1) : t.views[view];
  const title = view === 'chat' ? findConversation(id)?.title : name;
  useEffect(() => {
    document.title = title ? `${title} · hearth` : 'hearth';
    return () => {
      document.title = 'hearth';
    };
  }, [title]);
  return null;
}

const openSettings = () =>
  openDialog((close) => <MoreDialog views={inNavigation.value} folded={folded.value} onClose={close} />);

function Navigation({ current }: { current: ViewName }) {
  const { within }: ViewRow = views[current];
  const marked = inNavigation.value.includes(current) ? current : within;
  return (
    <nav class="views" aria-label={t.shell.menu}>
      <a class="brand" href="#/" aria-label="hearth">
        <img src="./icon.svg" alt="" width="28" height="28" />
      </a>
      {inNavigation.value.map((name) => (
        <a
          key={name}
          href={`#/${name}`}
          title={t.views[name]}
          aria-current={name === marked ? 'page' : undefined}
          class={folded.value.includes(name) ? 'folded' : undefined}
        >
          <Icon name={name} />
          <span>{t.views[name]}</span>
          {name === 'now' && <NoticeMark />}
        </a>
      ))}
      <a href="docs" class="api-link" title={t.views.api}>
        <Icon name="api" />
        <span>{t.views.api}</span>
      </a>
      <button type="button" class="more" title={t.shell.settings} onClick={openSettings}>
        <Icon name="settings" />
        <span>{t.shell.settings}</span>
      </button>
    </nav>
  );
}
