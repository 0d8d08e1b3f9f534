import type { ComponentChildren } from 'preact';
import { useMemo, useRef } from 'preact/hooks';
import { renderSVG } from 'uqr';
import type { CreatedApiKey } from '../api/types.ts';
import { t } from '../words/operator-texts.ts';
import { Button, CopyButton } from '../ui/controls.tsx';
import { ask } from '../ui/overlays/ask.tsx';
import { Dialog } from '../ui/overlays/dialog.tsx';
import { Fold } from '../ui/fold.tsx';
import { useObjectUrl } from '../ui/media/picture.tsx';
import { isThisMachine, joined } from '../words/formats.ts';
import './secret-dialog.css';

interface OnceProps {
  readonly title: string;
  readonly what: Parameters<typeof t.uncopied>[0];
  readonly onClose: () => void;
  readonly children: ComponentChildren;
}

/** Its content is not shown again: it asks before it is closed, unless something of it was copied or unfolded. */
export function OnceDialog({ title, what, onClose, children }: OnceProps) {
  const isTaken = useRef(false);
  const take = () => {
    isTaken.current = true;
  };
  const mayLeave = () => {
    if (!isTaken.current) ask({ ...t.uncopied(what), onConfirm: onClose });
    return isTaken.current;
  };
  return (
    <Dialog
      title={title}
      onClose={onClose}
      isKept
      mayLeave={mayLeave}
      actions={<Button text={t.keys.done} onClick={() => mayLeave() && onClose()} />}
    >
      <div
        class="once"
        onCopy={take}
        onClick={({ target }) => target instanceof Element && target.closest('button, summary') && take()}
      >
        {children}
      </div>
    </Dialog>
  );
}

interface SecretProps {
  readonly created: CreatedApiKey;
  /** A note about it, such as until when the one works that it replaces. */
  readonly told?: string | undefined;
  readonly onClose: () => void;
}

/** The secret of a new key, once: as it is, for a client, and as a link that signs in on another device. */
export function SecretDialog({ created, told, onClose }: SecretProps) {
  const { kind, name, value, account_name: account } = created;
  const snippet = `export OPENAI_BASE_URL=${new URL('v1', document.baseURI).href}\nexport OPENAI_API_KEY=${value}`;
  return (
    <OnceDialog title={joined(name || t.keys.makes.key, account)} what="key" onClose={onClose}>
      <p>
        {t.keys.secretOnce} {told}
      </p>
      <p class="secret">
        <code>{value}</code> <CopyButton text={value} isMain />
      </p>
      <Fold title={t.keys.snippet}>
        <div class="secret">
          <pre>{snippet}</pre> <CopyButton text={snippet} />
        </div>
      </Fold>
      {kind === 'user' && (
        <Fold title={t.keys.link}>
          <LinkBox link={`${new URL('.', document.baseURI).href}#key=${value}`} />
        </Fold>
      )}
    </OnceDialog>
  );
}

interface LinkProps {
  readonly link: string;
  /** Whether the dialog is about the link alone. */
  readonly isMain?: boolean;
}

/** A link, to be copied, or read by the camera of another device where that reaches it. Its secret stands in the fragment, which no server is sent. */
export function LinkBox({ link, isMain = false }: LinkProps) {
  const picture = useMemo(() => new Blob([renderSVG(link)], { type: 'image/svg+xml' }), [link]);
  const url = useObjectUrl(picture);
  return (
    <>
      <div class="secret">
        <code>{link}</code> <CopyButton text={link} isMain={isMain} />
      </div>
      {isThisMachine(location.hostname) ? (
        <p class="quiet">{t.keys.onlyHere}</p>
      ) : (
        <img class="qr" src={url} alt={t.keys.qr} width="220" height="220" />
      )}
    </>
  );
}
