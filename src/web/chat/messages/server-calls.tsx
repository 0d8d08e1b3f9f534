import { useEffect } from 'preact/hooks';
import type { ResponseItem } from '../../api/types.ts';
import { toolTexts } from '../../tool-texts.ts';
import { answerCalls } from '../actions.ts';
import { wantedCalls, type Message } from '../conversations/conversation.ts';
import { findConversation } from '../conversations/store.ts';
import { pretty } from './tool-calls.tsx';

type McpCall = Extract<ResponseItem, { type: 'mcp_call' }>;

/** The calls of servers' tools that were made for an answer, folded. */
export function ServerCalls({ message: { items = [] } }: { message: Message }) {
  return <>{items.flatMap((item) => (item.type === 'mcp_call' ? <Call key={item.id} call={item} /> : []))}</>;
}

function Call({ call }: { call: McpCall }) {
  const { name, server_label: label, arguments: args, status } = call;
  const state = { in_progress: toolTexts.runs, failed: toolTexts.failed, incomplete: toolTexts.failed };
  return (
    <details class="tool-call">
      <summary>
        {toolTexts.call(name, label)} {status !== 'completed' && state[status]}
      </summary>
      <pre tabindex={0}>{pretty(args)}</pre>
      {status !== 'in_progress' && (
        <>
          <p class="quiet">{toolTexts.result}</p>
          <pre tabindex={0}>{resultOf(call)}</pre>
        </>
      )}
    </details>
  );
}

function resultOf({ output, error }: McpCall): string {
  if (error === null) return output ?? '';
  if (error.type === 'mcp_protocol_error') return error.message;
  return error.content.map(({ text }) => text).join('\n');
}

interface Props {
  readonly message: Message;
  readonly conversationId: string;
}

/** Asks whether the model may make the calls that it wants. What is allowed in the whole chat is not asked again. */
export function WantedCalls({ message, conversationId }: Props) {
  const calls = wantedCalls(message);
  const allowed = findConversation(conversationId)?.settings.allowed ?? [];
  const isAllowed =
    calls.length > 0 && calls.every((call) => allowed.includes(`${call.server_label} ${call.name}`));
  useEffect(() => {
    if (isAllowed) answerCalls(conversationId, message, true);
  }, [isAllowed]);
  if (calls.length === 0 || isAllowed) return null;
  const decide = (approves: boolean, always?: boolean) => () =>
    answerCalls(conversationId, message, approves, always);
  return (
    <div class="tool-results">
      {calls.map(({ id, name, server_label: label, arguments: args }) => (
        <figure key={id} class="tool-call">
          <figcaption>{toolTexts.mayCall(name, label)}</figcaption>
          <pre tabindex={0}>{pretty(args)}</pre>
        </figure>
      ))}
      <div class="actions">
        <button type="button" onClick={decide(false)}>
          {toolTexts.refuse}
        </button>
        <button type="button" onClick={decide(true, true)}>
          {toolTexts.allowAlways}
        </button>
        <button type="button" class="primary" onClick={decide(true)}>
          {toolTexts.allow}
        </button>
      </div>
    </div>
  );
}
