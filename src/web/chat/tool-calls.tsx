import { useState } from 'preact/hooks';
import { chatModel } from '../state/models.ts';
import { t } from '../texts.ts';
import { answer } from './answer.ts';
import { append, newId, type Conversation, type Message, type ToolCall } from './conversation.ts';
import { putConversation } from './store.ts';

const pretty = (json: string) => {
  try {
    return JSON.stringify(JSON.parse(json), null, 2);
  } catch {
    return json;
  }
};

export function ToolCalls({ calls }: { calls: readonly ToolCall[] }) {
  return (
    <>
      {calls.map(({ id, name, arguments: args }) => (
        <figure key={id} class="tool-call">
          <figcaption>{t.chat.call(name)}</figcaption>
          <pre tabindex={0}>{pretty(args)}</pre>
        </figure>
      ))}
    </>
  );
}

/** A box for the result of each call; sending them lets the model go on. */
export function PendingCalls({ message, conversation }: { message: Message; conversation: Conversation }) {
  const calls = message.toolCalls ?? [];
  const [results, setResults] = useState<readonly string[]>(calls.map(() => ''));
  const send = () => {
    const model = chatModel.value;
    if (model === undefined) return;
    const answered = calls.reduce(
      (grown, { id }, index) =>
        append(grown, {
          id: newId(),
          parentId: grown.leafId,
          role: 'tool',
          toolCallId: id,
          content: results[index] ?? '',
        }),
      conversation,
    );
    putConversation(answered);
    void answer(conversation.id, model.id);
  };
  return (
    <form
      class="tool-results"
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      {calls.map(({ id, name }, index) => (
        <label key={id} class="field">
          <span>{t.chat.toolResult(name)}</span>
          <textarea
            rows={2}
            value={results[index]}
            onInput={({ currentTarget }) => setResults(results.with(index, currentTarget.value))}
          />
        </label>
      ))}
      <button type="submit" class="primary">
        {t.chat.sendResults}
      </button>
    </form>
  );
}

/** The answer that the person gave to a call. */
export function ToolResult({
  message,
  conversation,
}: {
  message: Message;
  conversation: Conversation | undefined;
}) {
  const call = conversation?.messages
    .flatMap(({ toolCalls = [] }) => toolCalls)
    .find(({ id }) => id === message.toolCallId);
  return (
    <figure class="tool-call">
      <figcaption>{t.chat.toolResult(call?.name ?? '')}</figcaption>
      <pre tabindex={0}>{pretty(message.content)}</pre>
    </figure>
  );
}
