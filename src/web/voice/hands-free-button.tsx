import { IconButton } from '../ui/controls.tsx';
import { t } from '../texts.ts';
import { isHandsFree, toggleHandsFree } from './hands-free.ts';

/** Begins to talk with the model, or ends it. */
export const HandsFreeButton = () => (
  <IconButton
    icon="waves"
    label={isHandsFree.value ? t.voice.handsFreeEnd : t.voice.handsFree}
    onClick={toggleHandsFree}
  />
);
