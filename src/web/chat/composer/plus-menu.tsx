import { lazy, Suspense } from 'preact/compat';
import { useRef, useState } from 'preact/hooks';
import { importPart } from '../../api/connection.ts';
import { chatModel } from '../../state/models.ts';
import { t } from '../../texts.ts';
import { Icon, type IconName } from '../../ui/icon.tsx';
import { Popover } from '../../ui/popover.tsx';
import type { ChatSettings } from '../conversations/conversation.ts';

const DrawingPad = lazy(async () => ({
  default: (await importPart(() => import('./drawing/drawing-pad.tsx'))).DrawingPad,
}));
const ServerItems = lazy(async () => ({
  default: (await importPart(() => import('./server-items.tsx'))).ServerItems,
}));

interface Props {
  readonly settings: ChatSettings;
  readonly onSettings: (settings: ChatSettings) => void;
  readonly onFiles: (files: Iterable<File> | null) => void;
  readonly onOpenSettings: () => void;
}

/** What a message can have besides its text, and how it is answered: files, a drawing, tools of servers, settings. */
export function PlusMenu({ settings, onSettings, onFiles, onOpenSettings }: Props) {
  const input = useRef<HTMLInputElement>(null);
  const [drawing, setDrawing] = useState(false);
  const sees = chatModel.value?.capabilities.supports_image === true;
  return (
    <>
      <span class="attach" hidden>
        <input
          ref={input}
          type="file"
          multiple
          aria-label={t.chat.attach}
          onChange={({ currentTarget }) => {
            onFiles(currentTarget.files);
            // The same file may be chosen again.
            currentTarget.value = '';
          }}
        />
      </span>
      <Popover label={t.chat.add} class="plus" button={<Icon name="plus" />}>
        {(close) => {
          const item = (icon: IconName, label: string, act: () => void) => (
            <button
              type="button"
              class="item"
              onClick={() => {
                close();
                act();
              }}
            >
              <Icon name={icon} /> {label}
            </button>
          );
          return (
            <>
              {item('clip', t.chat.attach, () => input.current?.click())}
              {sees && item('draw', t.drawing.title, () => setDrawing(true))}
              <Suspense fallback={null}>
                <ServerItems settings={settings} onSettings={onSettings} />
              </Suspense>
              {item('settings', t.settings.title, onOpenSettings)}
            </>
          );
        }}
      </Popover>
      {drawing && (
        <Suspense fallback={null}>
          <DrawingPad
            onAttach={(file) => onFiles([file])}
            onClose={() => {
              setDrawing(false);
              // While the dialog is there nothing beside it takes the focus.
              setTimeout(() => document.getElementById('composer')?.focus());
            }}
          />
        </Suspense>
      )}
    </>
  );
}
