import { isKept } from '../state/kept-on-server.ts';
import { go } from '../state/route.ts';
import { Button } from '../ui/controls.tsx';
import { t } from '../words/dialog-texts.ts';

/** In place of a chat that an address names and this browser has not. */
export function UnknownChat({ onOpenList }: { onOpenList: () => void }) {
  return (
    <section class="conversation" aria-label={t.chat.unknown}>
      <div class="page">
        <h1>{t.chat.unknown}</h1>
        <p class="lead">{isKept.value ? t.chat.unknownHere : t.chat.unknownHint}</p>
        <p class="actions">
          <Button class="primary" text={t.chat.newChat} onClick={() => go('chat')} />
          <Button id="open-chats" class="narrow-only" text={t.chat.conversations} onClick={onOpenList} />
        </p>
      </div>
    </section>
  );
}
