import { Button } from '../ui/controls.tsx';
import { t } from '../words/dialog-texts.ts';
import { saveConversations } from './conversations/save-conversations.ts';

/** That the browser has no room for a chat on the screen, and the ways out. */
export function StorageNotice() {
  return (
    <div class="notice" role="alert">
      <p>{t.chat.storageFull}</p>
      <Button text={t.chat.exportAll} onClick={() => void saveConversations()} />
    </div>
  );
}
