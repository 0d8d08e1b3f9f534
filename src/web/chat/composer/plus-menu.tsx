import { useRef, useState } from 'preact/hooks';
import { chatModel } from '../../state/models.ts';
import { t } from '../../words/texts.ts';
import { FileInput } from '../../ui/forms/fields.tsx';
import { Icon } from '../../ui/icon.tsx';
import { lazyPart } from '../../ui/rendering/lazy-part.tsx';
import { Menu } from '../../ui/overlays/popover.tsx';
import type { ChatSettings } from '../conversations/conversation.ts';
import type { Panel } from '../toolbar.tsx';
import { goWrite } from './keyboard.ts';

const DrawingPad = lazyPart(async () => (await import('./drawing/drawing-pad.tsx')).DrawingPad);
const ServerItems = lazyPart(async () => (await import('./server-items.tsx')).ServerItems);

interface Props {
  readonly settings: ChatSettings;
  readonly onSettings: (settings: ChatSettings) => void;
  readonly onFiles: (files: Iterable<File>) => void;
  readonly onOpen: (panel: Panel) => void;
}

/** Parts of a message besides its text, and how it is answered: files, a drawing, tools of servers, settings. */
export function PlusMenu({ settings, onSettings, onFiles, onOpen }: Props) {
  const input = useRef<HTMLInputElement>(null);
  const [drawing, setDrawing] = useState(false);
  const sees = chatModel.value?.capabilities.supports_image === true;
  return (
    <>
      <span class="attach" hidden>
        <FileInput ref={input} multiple aria-label={t.chat.attach} onFiles={onFiles} />
      </span>
      <Menu
        label={t.chat.add}
        class="plus"
        button={<Icon name="plus" />}
        items={[
          { icon: 'clip', text: t.chat.attach, act: () => input.current?.click() },
          sees && { icon: 'draw', text: t.drawing.title, act: () => setDrawing(true) },
          { icon: 'settings', text: t.settings.title, act: () => onOpen('settings') },
          { icon: 'code', text: t.chat.showRequest, act: () => onOpen('code') },
        ]}
      >
        <ServerItems settings={settings} onSettings={onSettings} />
      </Menu>
      {drawing && (
        <DrawingPad
          onAttach={(file) => onFiles([file])}
          onClose={() => {
            setDrawing(false);
            // While the dialog is there nothing beside it takes the focus.
            setTimeout(goWrite);
          }}
        />
      )}
    </>
  );
}
