import { useRef, useState } from 'preact/hooks';
import { go } from '../../state/route.ts';
import { t } from '../../texts.ts';
import { Confirm } from '../../ui/dialog.tsx';
import { loadTransfer, saveConversations } from './save-conversations.ts';
import { conversations, removeConversations } from './store.ts';

const saidForMs = 8000;
const prevent = (event: Event) => event.preventDefault();

/** All conversations as a file, and back. */
export function FileTools() {
  const input = useRef<HTMLInputElement>(null);
  const [outcome, setOutcome] = useState('');
  const [asking, setAsking] = useState(false);
  const read = async (file: File) => {
    const { importConversations } = await loadTransfer();
    // The browser asks before it leaves in the middle of it.
    addEventListener('beforeunload', prevent);
    const count = await importConversations(await file.text(), (done, all) =>
      setOutcome(t.chat.importing(done, all)),
    ).finally(() => removeEventListener('beforeunload', prevent));
    setOutcome(count === undefined ? t.chat.importFailed : t.chat.imported(count));
    setTimeout(() => setOutcome(''), saidForMs);
  };
  return (
    <div class="file-tools">
      <button type="button" class="quiet" onClick={() => void saveConversations()}>
        {t.chat.exportAll}
      </button>
      <button type="button" class="quiet" onClick={() => input.current?.click()}>
        {t.chat.importAll}
      </button>
      <input
        ref={input}
        type="file"
        hidden
        accept="application/json,.json"
        onChange={({ currentTarget }) => {
          const file = currentTarget.files?.[0];
          if (file !== undefined) void read(file);
          currentTarget.value = '';
        }}
      />
      {conversations.value.length > 0 && (
        <button type="button" class="quiet" onClick={() => setAsking(true)}>
          {t.chat.removeAll}
        </button>
      )}
      {asking && (
        <Confirm
          question={t.chat.removeAllQuestion(conversations.value.length)}
          action={t.chat.removeAll}
          onClose={() => setAsking(false)}
          onConfirm={() => {
            void removeConversations(conversations.value.map(({ id }) => id));
            go('chat');
          }}
        />
      )}
      <output>{outcome}</output>
    </div>
  );
}
