import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { t } from '../../../words/dialog-texts.ts';
import { Button } from '../../../ui/controls.tsx';
import { fitHeight, Form } from '../../../ui/forms/fields.tsx';
import { correct, resend } from '../../branch-actions.ts';
import { isSending } from '../../composer/keyboard.ts';
import type { Message } from '../../conversations/conversation.ts';
import { Attachments } from '../question/attachments.tsx';
import './editor.css';

interface Props {
  readonly message: Message;
  readonly conversationId: string;
  /** Without an answer to come the keyboard is where it was. */
  readonly onClose: (isAnswered: boolean) => void;
}

/** A message being changed. A question is sent as a version beside the old one, an answer is saved as it is then. */
export function Editor({ message, conversationId, onClose }: Props) {
  const [text, setText] = useState(message.content);
  const isQuestion = message.role === 'user';
  const area = useRef<HTMLTextAreaElement>(null);
  useEffect(() => {
    area.current?.focus();
    // The focus alone brings the line of the caret only.
    area.current?.form?.scrollIntoView({ block: 'nearest' });
  }, []);
  useLayoutEffect(() => {
    if (area.current !== null) fitHeight(area.current);
  }, [text]);
  return (
    <Form
      class="message editor"
      onSend={() => {
        if (text.trim() === '' && message.attachments === undefined) return;
        onClose(isQuestion);
        (isQuestion ? resend : correct)(conversationId, message, text);
      }}
    >
      {message.attachments !== undefined && <Attachments of={message.attachments} />}
      <textarea
        aria-label={t.chat.edit}
        class={message.content.includes('```') ? 'code' : undefined}
        rows={3}
        dir="auto"
        value={text}
        ref={area}
        onInput={({ currentTarget }) => setText(currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === 'Escape') onClose(false);
          else if (isSending(event) && (isQuestion || event.ctrlKey || event.metaKey))
            event.currentTarget.form?.requestSubmit();
          else return;
          event.preventDefault();
        }}
      />
      <div class="actions">
        <Button text={t.shell.cancel} onClick={() => onClose(false)} />
        <Button type="submit" class="primary" text={isQuestion ? t.chat.resend : t.chat.save} />
      </div>
    </Form>
  );
}
