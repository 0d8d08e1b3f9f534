import { useEffect } from 'preact/hooks';
import type { ResponseItem } from '../../api/types.ts';
import { t } from '../../texts.ts';
import { answerCalls } from '../actions.ts';
import type { Message } from '../conversations/conversation.ts';
import { wantedCalls } from '../conversations/parts.ts';
import { findConversation } from '../conversations/store.ts';
import { pretty } from './tool-calls.tsx';

type McpCall = Extract<ResponseItem, { type: 'mcp_call' }>;

/** The calls of servers' tools that were made for an answer, folded. */
export function ServerCalls({ message: { items = [] }, growing }: { message: Message; growing: boolean }) {
  return (
    <>
      {items.flatMap((item) =>
        item.type === 'mcp_call' ? <Call key={item.id} call={item} growing={growing} /> : [],
      )}
    </>
  );
}

function Call({ call, growing }: { call: McpCall; growing: boolean }) {
  const { name, server_label: label, arguments: args, status } = call;
  const state = {
    in_progress: growing ? t.servers.runs : t.servers.isBrokenOff,
    failed: t.servers.failed,
    incomplete: t.servers.failed,
  };
  return (
    <details class="tool-call">
      <summary>
        {t.servers.call(name, label)} {status !== 'completed' && state[status]}
      </summary>
      <pre tabindex={0}>{pretty(args)}</pre>
      {status !== 'in_progress' && (
        <>
          <p class="quiet">{t.servers.result}</p>
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

/** Asks whether the model may make the calls that it wants. A tool that is allowed in the whole chat is not asked for again. */
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
          <figcaption>{t.servers.mayCall(name, label)}</figcaption>
          <pre tabindex={0}>{pretty(args)}</pre>
        </figure>
      ))}
      <div class="actions">
        <button type="button" onClick={decide(false)}>
          {t.servers.refuse}
        </button>
        <button type="button" onClick={decide(true, true)}>
          {t.servers.allowAlways}
        </button>
        <button type="button" class="primary" onClick={decide(true)}>
          {t.servers.allow}
        </button>
      </div>
    </div>
  );
}
