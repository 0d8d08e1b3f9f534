import { asAdmin } from '../state/session.ts';
import { doHere, type Act } from '../state/polled.ts';
import { AskingButton } from '../ui/dialog.tsx';

interface Props {
  readonly action: string;
  readonly question: string;
  /** Of what is deleted, below /admin/v1. */
  readonly path: string;
  readonly act: Act;
  readonly onClose: () => void;
}

/** Deletes what a dialog is about, apart from its other buttons, and closes that. */
export const RemoveButton = ({ path, act, onClose, ...asking }: Props) => (
  <>
    <AskingButton
      class="failed"
      {...asking}
      onConfirm={() => doHere(act, asAdmin(path, { method: 'DELETE' })).then(onClose)}
    />
    <span class="spacer" />
  </>
);
