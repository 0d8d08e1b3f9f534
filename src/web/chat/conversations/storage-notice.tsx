import { t } from '../../texts.ts';
import { saveConversations } from './save-conversations.ts';
import { isStorageFull } from './store.ts';

/** That the browser has no room for what is on the screen, and the ways out. */
export function StorageNotice() {
  if (!isStorageFull.value) return null;
  return (
    <div class="notice" role="alert">
      <p>{t.chat.storageFull}</p>
      <button type="button" onClick={() => void saveConversations()}>
        {t.chat.exportAll}
      </button>
    </div>
  );
}
