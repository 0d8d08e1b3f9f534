import { Button, IconButton } from '../controls.tsx';
import { openDialog } from './dialog.tsx';
import type { IconName } from '../icon.tsx';
import type { Asked } from './question.tsx';
import { lazyPart } from '../rendering/lazy-part.tsx';

const Question = lazyPart(async () => (await import('./question.tsx')).Question);

/** Asks before something is done that cannot be undone. */
export const ask = (asked: Asked) => openDialog((close) => <Question {...asked} onClose={close} />);

interface AskingProps extends Asked {
  /** In place of the text, with the label of its button. */
  readonly icon?: IconName;
  readonly label?: string;
  readonly class?: string;
}

/** A button that asks before it acts. */
export const AskingButton = ({ icon, label, class: name = '', ...asked }: AskingProps) =>
  icon === undefined ? (
    <Button class={name} text={asked.action} onClick={() => ask(asked)} />
  ) : (
    <IconButton icon={icon} label={label ?? asked.action} onClick={() => ask(asked)} />
  );
