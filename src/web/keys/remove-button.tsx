import { asAdmin } from '../state/session.ts';
import type { Act } from '../state/polled.ts';
import { AskingButton } from '../ui/dialog.tsx';

interface Props {
  readonly action: string;
  readonly question: string;
  /** Of what is deleted, below /admin/v1. */
  readonly path: string;
  readonly act: Act;
  readonly onClose: () => void;
}

/** Deletes what a dialog is about, apart from its other buttons. The view tells why it is refused. */
export const RemoveButton = ({ path, act, onClose, ...asking }: Props) => (
  <>
    <AskingButton
      class="failed"
      {...asking}
      onConfirm={() => {
        onClose();
        void act(asAdmin(path, { method: 'DELETE' }));
      }}
    />
    <span class="spacer" />
  </>
);
