import { useRef, useState } from 'preact/hooks';
import { t } from '../../texts.ts';
import { saveFile } from '../../ui/save-file.ts';
import { exportConversations, importConversations } from './transfer.ts';

/** All conversations as a file, and back. */
export function FileTools() {
  const input = useRef<HTMLInputElement>(null);
  const [outcome, setOutcome] = useState('');
  const read = async (file: File) => {
    const count = await importConversations(await file.text());
    setOutcome(count === undefined ? t.chat.importFailed : t.chat.imported(count));
  };
  return (
    <div class="file-tools">
      <button
        type="button"
        class="quiet"
        onClick={() => void exportConversations().then((all) => saveFile('hearth-chats.json', all))}
      >
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
      <output>{outcome}</output>
    </div>
  );
}
