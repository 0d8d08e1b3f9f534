import { useState } from 'preact/hooks';
import { t } from '../../../../words/dialog-texts.ts';
import { Button } from '../../../../ui/controls.tsx';
import { Field, Form } from '../../../../ui/forms/fields.tsx';
import { sendResults } from '../../../call-actions.ts';
import type { Message } from '../../../conversations/conversation.ts';
import './pending-calls.css';

interface Props {
  readonly message: Message;
  readonly conversationId: string;
}

/** A box for the result of each call; sending them lets the model go on. */
export function PendingCalls({ message, conversationId }: Props) {
  const calls = message.toolCalls ?? [];
  const [results, setResults] = useState<readonly string[]>(calls.map(() => ''));
  return (
    <Form class="tool-results" onSend={() => sendResults(conversationId, message, results)}>
      {calls.map(({ id, name }, index) => (
        <Field key={id} label={t.chat.toolResult(name)}>
          <textarea
            rows={2}
            value={results[index]}
            onInput={({ currentTarget }) => setResults(results.with(index, currentTarget.value))}
          />
        </Field>
      ))}
      <Button type="submit" class="primary" text={t.chat.sendResults} />
    </Form>
  );
}
