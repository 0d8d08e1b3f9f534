import { asAdmin } from '../../state/session.ts';
import { doHere, type Act } from '../../state/polled.ts';
import { AskingButton } from '../../ui/overlays/ask.tsx';
import { told } from './told.tsx';

interface Props {
  readonly action: string;
  readonly question: string;
  /** Of the thing to be deleted, below /admin/v1. */
  readonly path: string;
  /** Told when it is gone. */
  readonly done: string;
  readonly act: Act;
  readonly onClose: () => void;
}

/** Deletes the thing of a dialog, apart from its other buttons, and closes that. */
export const RemoveButton = ({ path, done, act, onClose, ...asking }: Props) => (
  <>
    <AskingButton
      class="failed"
      {...asking}
      onConfirm={async () => {
        await doHere(act, asAdmin(path, { method: 'DELETE' }));
        told.value = done;
        onClose();
      }}
    />
    <span class="spacer" />
  </>
);
