import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { asAdmin } from '../../state/session.ts';
import { doHere, type Act } from '../../state/polled.ts';
import { AskingButton } from '../../ui/overlays/ask.tsx';
import './remove-button.css';

/** The message about the last deletion, told above its list. */
export const removed = signal('');

const toldMs = 10_000;

/** Tells it for a while. */
export function RemovedNote() {
  useEffect(() => {
    const timer = setTimeout(() => (removed.value = ''), toldMs);
    return () => clearTimeout(timer);
  }, [removed.value]);
  return (
    <p class="told" role="status">
      {removed}
    </p>
  );
}

interface Props {
  readonly action: string;
  readonly question: string;
  /** Of the thing to be deleted, below /admin/v1. */
  readonly path: string;
  /** Told when it is gone. */
  readonly told: string;
  readonly act: Act;
  readonly onClose: () => void;
}

/** Deletes the thing of a dialog, apart from its other buttons, and closes that. */
export const RemoveButton = ({ path, told, act, onClose, ...asking }: Props) => (
  <>
    <AskingButton
      class="failed"
      {...asking}
      onConfirm={async () => {
        await doHere(act, asAdmin(path, { method: 'DELETE' }));
        removed.value = told;
        onClose();
      }}
    />
    <span class="spacer" />
  </>
);
