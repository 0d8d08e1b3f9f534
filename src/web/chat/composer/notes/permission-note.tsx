import { Button } from '../../../ui/controls.tsx';
import { t } from '../../../words/dialog-texts.ts';

/** That the model goes on once its calls are allowed or refused; pressed, it leads there. */
export const PermissionNote = () => (
  <p class="note" role="status">
    <Button
      class="plain-link"
      text={t.servers.waits}
      onClick={() => document.querySelector<HTMLElement>('.may-call ~ .actions > button')?.focus()}
    />
  </p>
);
