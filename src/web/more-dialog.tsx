import { go } from './state/route.ts';
import { chooseTitleModels, titleModels } from './chat/titles/title-models.ts';
import { copyProblem, removeServerCopies } from './chat/conversations/server-copies.ts';
import { isKept, keepOnServer } from './state/kept-on-server.ts';
import { useWork } from './state/polled.ts';
import { canChat, isRemembered, leave, remember, secrets } from './state/session.ts';
import { theme } from './state/theme.ts';
import { t } from './dialog-texts.ts';
import { Button, Problem } from './ui/controls.tsx';
import { Check, ChoiceField, optionsOf, Segments } from './ui/fields.tsx';
import { AskingButton, Dialog, openDialog } from './ui/dialog.tsx';
import './chat/settings/settings.css';
import './styles/shortcuts.css';

/** Settings of the whole page: its session, its theme, its chats. */
export function MoreDialog({ onClose }: { onClose: () => void }) {
  return (
    <Dialog
      title={t.shell.more}
      onClose={onClose}
      actions={
        <AskingButton
          action={t.more.signOut}
          question={t.more.signOutQuestion}
          onConfirm={() => {
            void leave();
            go('chat');
          }}
        />
      }
    >
      <SignedInWith />
      <div class="field">
        <span>{t.more.theme}</span>
        <Segments
          label={t.more.theme}
          value={theme.value}
          onChange={(name) => (theme.value = name)}
          options={optionsOf(t.more.themes)}
        />
      </div>
      <Check label={t.signIn.remember} isOn={isRemembered.value} onChange={remember} />
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
        <a href="docs">{t.more.reference}</a> · <a href="docs/pages">{t.more.handbook}</a>
        <span class="keyboard">
          {' · '}
          <Button class="plain-link" text={t.shortcuts.title} onClick={list} />
        </span>
      </p>
    </Dialog>
  );
}

const list = () => openDialog((close) => <ShortcutDialog onClose={close} />);

/** Which server it is, and the ends of the keys, by which people tell them apart. */
function SignedInWith() {
  const { user, admin } = secrets.value;
  return (
    <p>
      {t.more.signedIn(
        location.host,
        [
          user !== undefined && t.more.key(user.slice(-4)),
          admin !== undefined && t.more.adminKey(admin.slice(-4)),
        ]
          .filter((one) => one !== false)
          .join(t.more.and),
      )}
    </p>
  );
}

/** Whether the chats are at the server too, and the way to delete them there. */
function ServerCopies() {
  const { problem, act } = useWork();
  return (
    <>
      <div>
        <Check label={t.more.keepChats} isOn={isKept.value} onChange={keepOnServer} />
        <p class="quiet">{t.more.keepChatsHint}</p>
      </div>
      {/* Copies stay at the server where they are kept there no more. */}
      <div>
        <AskingButton
          class="danger"
          action={t.more.removeChats}
          question={t.more.removeChatsQuestion}
          onConfirm={() => {
            keepOnServer(false);
            void act(removeServerCopies());
          }}
        />
      </div>
      <Problem text={problem ?? copyProblem.value} />
    </>
  );
}

export const ShortcutDialog = ({ onClose }: { onClose: () => void }) => (
  <Dialog title={t.shortcuts.title} onClose={onClose}>
    <dl class="shortcuts">
      {t.shortcuts.rows.map(([keys, what]) => (
        <div key={keys}>
          <dt>
            <kbd>{keys}</kbd>
          </dt>
          <dd>{what}</dd>
        </div>
      ))}
    </dl>
  </Dialog>
);
