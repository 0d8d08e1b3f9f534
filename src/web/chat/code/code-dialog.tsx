import { useState } from 'preact/hooks';
import { CopyButton } from '../../ui/controls.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { chatModel } from '../../state/models.ts';
import { t } from '../../texts.ts';
import { toCode, type Language } from './code.ts';
import type { Conversation } from '../conversations/conversation.ts';

const languages: readonly Language[] = ['curl', 'python', 'typescript'];

export function CodeDialog({ conversation, onClose }: { conversation: Conversation; onClose: () => void }) {
  const [language, setLanguage] = useState<Language>('curl');
  const code = toCode(language, conversation, chatModel.value?.id ?? '<chat model>');
  return (
    <Dialog title={t.code.title} onClose={onClose}>
      <div class="segmented" role="group">
        {languages.map((name) => (
          <button key={name} type="button" aria-pressed={name === language} onClick={() => setLanguage(name)}>
            {t.code[name]}
          </button>
        ))}
        <span class="spacer" />
        <CopyButton text={code} />
      </div>
      <pre tabindex={0}>{code}</pre>
    </Dialog>
  );
}
