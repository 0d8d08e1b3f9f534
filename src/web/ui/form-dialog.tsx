import type { ComponentChildren } from 'preact';
import { useWork } from '../state/polled.ts';
import { Button, Problem } from './controls.tsx';
import { Form } from './fields.tsx';
import { Dialog } from './dialog.tsx';

interface Props {
  readonly title: string;
  readonly action: string;
  /** What the form is for; the dialog closes when it is done, and stays with the reason where it fails. */
  readonly work: () => Promise<unknown>;
  readonly onClose: () => void;
  /** What else can be done, beside the button of the form. */
  readonly beside?: ComponentChildren;
  readonly children: ComponentChildren;
}

/** A form in a dialog. */
export function FormDialog({ title, action, work, onClose, beside, children }: Props) {
  const { problem, act } = useWork();
  return (
    <Dialog title={title} onClose={onClose}>
      <Form onSend={() => void act(work().then(onClose))}>
        {children}
        <Problem text={problem} />
        <div class="actions">
          {beside}
          <Button type="submit" class="primary" text={action} />
        </div>
      </Form>
    </Dialog>
  );
}
