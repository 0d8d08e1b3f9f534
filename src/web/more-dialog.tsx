import type { LimitList } from './api/types.ts';
import { go, type ViewName } from './state/route.ts';
import { chooseTitleModels, titleModels } from './chat/titles/title-models.ts';
import { copyProblem, hasCopies, removeServerCopies } from './chat/conversations/server-copies.ts';
import { isKept, keepOnServer } from './state/kept-on-server.ts';
import { usePolled } from './state/polled.ts';
import { canChat, isRemembered, leave, remember, secrets, userJson } from './state/session.ts';
import { theme } from './state/theme.ts';
import { t } from './words/dialog-texts.ts';
import { Button, Problem } from './ui/controls.tsx';
import { Check, ChoiceField, optionsOf, Segments } from './ui/forms/fields.tsx';
import { AskingButton } from './ui/overlays/ask.tsx';
import { Dialog, openDialog } from './ui/overlays/dialog.tsx';
import './chat/settings/settings.css';
import './styles/shortcuts.css';

interface MoreProps extends ShortcutProps {
  /** Those that only this dialog leads to on a phone. */
  readonly folded: readonly ViewName[];
}

/** Settings of the whole page: its session, its theme, its chats. */
export function MoreDialog({ views, folded, onClose }: MoreProps) {
  const list = () => openDialog((close) => <ShortcutDialog views={views} onClose={close} />);
  return (
    <Dialog title={t.shell.settings} onClose={onClose}>
      <FoldedViews views={folded} onClose={onClose} />
      <SignedIn />
      <Check label={t.signIn.remember} isOn={isRemembered.value} onChange={remember} />
      <div class="field">
        <span>{t.more.theme}</span>
        <Segments
          label={t.more.theme}
          value={theme.value}
          onChange={(name) => (theme.value = name)}
          options={optionsOf(t.more.themes)}
        />
      </div>
      {canChat.value && (
        <div class="settings">
          <fieldset>
            <legend>{t.more.chats}</legend>
            <ServerCopies />
            <ChoiceField
              label={t.more.titles}
              hint={t.more.titlesHint}
              value={titleModels.value}
              onChange={chooseTitleModels}
              options={optionsOf(t.more.titleModels)}
            />
          </fieldset>
        </div>
      )}
      <p class="more-links">
        <a href="docs/using">{t.more.using}</a> · <a href="docs">{t.more.reference}</a> ·{' '}
        <a href="docs/pages">{t.more.handbook}</a>
        <span class="keyboard">
          {' · '}
          <Button class="plain-link" text={t.shortcuts.title} onClick={list} />
        </span>
      </p>
    </Dialog>
  );
}

const FoldedViews = ({ views, onClose }: ShortcutProps) => (
  <p class="folded-views">
    {views.map((name) => (
      <a key={name} class="button" href={`#/${name}`} onClick={onClose}>
        {t.views[name]}
      </a>
    ))}
  </p>
);

/** Who it is, at which server, the ends of the keys, by which people tell them apart, and the way out. */
function SignedIn() {
  const { user, admin } = secrets.value;
  const { value: own } = usePolled(
    async () => (user === undefined ? undefined : await userJson<LimitList>('limits')),
    [user],
  );
  const keys = [
    user !== undefined && t.more.key(user.slice(-4)),
    admin !== undefined && t.more.adminKey(admin.slice(-4)),
  ].filter((one) => one !== false);
  return (
    <div class="signed-in">
      <div>
        {own !== undefined && <div>{t.more.signedInAs(own.account, own.plan)}</div>}
        <div class={own && 'quiet'}>{t.more.signedIn(location.host, keys.join(t.more.and))}</div>
      </div>
      <AskingButton
        action={t.more.signOut}
        question={t.more.signOutQuestion}
        onConfirm={() => {
          void leave();
          go('chat');
        }}
      />
    </div>
  );
}

/** Whether the chats are at the server too, and the way to delete them there. */
function ServerCopies() {
  const copies = usePolled(hasCopies, [isKept.value]);
  return (
    <>
      <div>
        <Check label={t.more.keepChats} isOn={isKept.value} onChange={keepOnServer} />
        <p class="quiet">{t.more.keepChatsHint}</p>
      </div>
      {/* Copies stay at the server where they are kept there no more. */}
      {(isKept.value || copies.value === true) && (
        <div>
          <AskingButton
            class="danger"
            action={t.more.removeChats}
            question={t.more.removeChatsQuestion}
            onConfirm={() => {
              keepOnServer(false);
              return removeServerCopies().then(copies.reload);
            }}
          />
        </div>
      )}
      <Problem text={copyProblem.value} />
    </>
  );
}

interface ShortcutProps {
  /** Those that the person can open. */
  readonly views: readonly ViewName[];
  readonly onClose: () => void;
}

export const ShortcutDialog = ({ views, onClose }: ShortcutProps) => (
  <Dialog title={t.shortcuts.title} onClose={onClose}>
    <dl class="shortcuts">
      {[
        ...t.shortcuts.rows,
        t.shortcuts.goTo(
          views.map(([letter]) => letter).join(', '),
          views.map((name) => t.views[name]).join(', '),
        ),
      ].map(([keys, what]) => (
        <div key={keys}>
          <dt>
            {keys
              .split(/( or | then |, | )/)
              .map((part, index) => (index % 2 === 0 ? <kbd key={index}>{part}</kbd> : part))}
          </dt>
          <dd>{what}</dd>
        </div>
      ))}
    </dl>
  </Dialog>
);
