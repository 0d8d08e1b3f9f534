import { useState } from 'preact/hooks';
import { t } from '../../texts.ts';
import { sendResults } from '../actions.ts';
import type { Message, ToolCall } from '../conversations/conversation.ts';

export const pretty = (json: string) => {
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
export function PendingCalls({ message, conversationId }: { message: Message; conversationId: string }) {
  const calls = message.toolCalls ?? [];
  const [results, setResults] = useState<readonly string[]>(calls.map(() => ''));
  return (
    <form
      class="tool-results"
      onSubmit={(event) => {
        event.preventDefault();
        sendResults(conversationId, message, results);
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
export function ToolResult({ message: { toolName = '', content } }: { message: Message }) {
  return (
    <figure class="tool-call">
      <figcaption>{t.chat.toolResult(toolName)}</figcaption>
      <pre tabindex={0}>{pretty(content)}</pre>
    </figure>
  );
}
