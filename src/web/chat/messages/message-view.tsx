import { lazy, memo, Suspense } from 'preact/compat';
import { useEffect, useRef, useState } from 'preact/hooks';
import { importPart } from '../../api/connection.ts';
import { CopyButton, IconButton } from '../../ui/controls.tsx';
import { Confirm } from '../../ui/dialog.tsx';
import { Prose } from '../../ui/prose/prose.tsx';
import { chatModel, voiceModels } from '../../state/models.ts';
import { go } from '../../state/route.ts';
import { t } from '../../texts.ts';
import { answerAgain, correct, fork, remove, resend, turnTo } from '../actions.ts';
import { followingOf, type Message } from '../conversations/conversation.ts';
import { findConversation } from '../conversations/store.ts';
import { Attachments } from './attachments.tsx';
import { Ending } from './ending.tsx';
import { ServerCalls, WantedCalls } from './server-calls.tsx';
import { StatsLine } from './stats-line.tsx';
import { PendingCalls, ToolCalls, ToolResult } from './tool-calls.tsx';

const LoadedReadButton = lazy(async () => ({
  default: (await importPart(() => import('../../voice/reading/read-button.tsx'))).ReadButton,
}));

interface Props {
  readonly message: Message;
  /** undefined while the message is being written. */
  readonly conversationId: string | undefined;
  /** The ids of the versions of the message, its own included, oldest first. */
  readonly versions: readonly string[];
  readonly isLast: boolean;
  readonly growing: boolean;
}

/** One message with what can be done with it. */
export const MessageView = memo(
  ({ message, conversationId, versions, isLast, growing }: Props) => {
    const [editing, setEditing] = useState(false);
    if (message.approves !== undefined)
      return <p class="quiet">{t.servers.decided(message.toolName ?? '', message.approves)}</p>;
    if (message.role === 'tool') return <ToolResult message={message} />;
    if (editing && conversationId !== undefined)
      return <Editor message={message} conversationId={conversationId} onClose={() => setEditing(false)} />;
    return (
      <article class={`message ${message.role}`}>
        {message.role === 'assistant' && <Thoughts message={message} growing={growing} />}
        <Attachments message={message} />
        <ServerCalls message={message} growing={growing} />
        {message.role === 'assistant' && <Prose text={message.content} growing={growing} />}
        {message.role === 'user' && message.content !== '' && (
          <p class="question" dir="auto">
            {message.content}
          </p>
        )}
        <ToolCalls calls={message.toolCalls ?? []} />
        {isLast && conversationId !== undefined && message.toolCalls !== undefined && (
          <PendingCalls message={message} conversationId={conversationId} />
        )}
        {isLast && conversationId !== undefined && !growing && (
          <WantedCalls message={message} conversationId={conversationId} />
        )}
        <Ending message={message} conversationId={isLast ? conversationId : undefined} />
        {conversationId !== undefined && (
          <MessageTools
            message={message}
            conversationId={conversationId}
            versions={versions}
            onEdit={() => setEditing(true)}
          />
        )}
        {growing && message.role === 'assistant' && (
          <footer class="message-tools">
            <ReadButton messageId={message.id} />
          </footer>
        )}
      </article>
    );
  },
  // The list of versions is made anew with every message.
  (old, next) =>
    old.message === next.message &&
    old.conversationId === next.conversationId &&
    old.isLast === next.isLast &&
    old.growing === next.growing &&
    old.versions.join() === next.versions.join(),
);

interface ToolsProps {
  readonly message: Message;
  readonly conversationId: string;
  readonly versions: readonly string[];
  readonly onEdit: () => void;
}

function MessageTools({ message, conversationId, versions, onEdit }: ToolsProps) {
  const [removing, setRemoving] = useState(false);
  const at = versions.indexOf(message.id);
  const show = (index: number) => turnTo(conversationId, versions[index] ?? message.id);
  return (
    <footer class="message-tools">
      {versions.length > 1 && (
        <span class="versions">
          <IconButton icon="left" label={t.chat.previous} disabled={at === 0} onClick={() => show(at - 1)} />
          {at + 1}/{versions.length}
          <IconButton
            icon="right"
            label={t.chat.next}
            disabled={at === versions.length - 1}
            onClick={() => show(at + 1)}
          />
        </span>
      )}
      {message.role === 'assistant' && <ReadButton messageId={message.id} />}
      <CopyButton text={message.content} />
      <IconButton
        icon="edit"
        label={message.role === 'user' ? t.chat.edit : t.chat.correct}
        onClick={onEdit}
      />
      {message.role === 'assistant' && (
        <>
          <IconButton
            icon="again"
            label={againLabel(message)}
            onClick={() => answerAgain(conversationId, message)}
          />
          <IconButton
            icon="fork"
            label={t.chat.fork}
            onClick={() => {
              const id = fork(conversationId, message);
              if (id !== undefined) go('chat', id);
            }}
          />
        </>
      )}
      <IconButton icon="trash" label={t.chat.removeMessage} onClick={() => setRemoving(true)} />
      {removing && (
        <Confirm
          question={t.chat.removeMessageQuestion(
            followingOf(findConversation(conversationId)?.messages ?? [], message.id).length,
          )}
          action={t.chat.remove}
          onClose={() => setRemoving(false)}
          onConfirm={() => remove(conversationId, message)}
        />
      )}
      <StatsLine message={message} />
    </footer>
  );
}

/** Where there is a model to read answers aloud. */
const ReadButton = ({ messageId }: { messageId: string }) => (
  <Suspense fallback={null}>
    {voiceModels.value.length > 0 && <LoadedReadButton messageId={messageId} />}
  </Suspense>
);

function againLabel({ model }: Message): string {
  const next = chatModel.value?.id;
  return next === undefined || next === model ? t.chat.regenerate : t.chat.regenerateWith(next);
}

function Thoughts({
  message: { reasoning, reasoningMs = 0, content },
  growing,
}: {
  message: Message;
  growing: boolean;
}) {
  if (reasoning === undefined)
    return growing && content === '' ? <p class="note pulse">{t.chat.waiting}</p> : null;
  const isThinking = growing && content === '';
  return (
    <details class="thoughts">
      <summary class={isThinking ? 'pulse' : undefined}>
        {isThinking ? t.chat.thinking : t.chat.thought(reasoningMs / 1000)}
      </summary>
      <p>{reasoning}</p>
    </details>
  );
}

interface EditorProps {
  readonly message: Message;
  readonly conversationId: string;
  readonly onClose: () => void;
}

/** A message being changed. A question is sent as a version beside the old one, an answer is saved as it is then. */
function Editor({ message, conversationId, onClose }: EditorProps) {
  const [text, setText] = useState(message.content);
  const isQuestion = message.role === 'user';
  const area = useRef<HTMLTextAreaElement>(null);
  useEffect(() => area.current?.focus(), []);
  return (
    <form
      class="message editor"
      onSubmit={(event) => {
        event.preventDefault();
        if (text.trim() === '' && message.attachments === undefined) return;
        onClose();
        (isQuestion ? resend : correct)(conversationId, message, text);
      }}
    >
      <textarea
        aria-label={t.chat.edit}
        rows={Math.min(20, Math.max(4, text.split('\n').length))}
        dir="auto"
        value={text}
        ref={area}
        onInput={({ currentTarget }) => setText(currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === 'Escape') onClose();
          else if (event.key === 'Enter' && (event.ctrlKey || event.metaKey))
            event.currentTarget.form?.requestSubmit();
          else return;
          event.preventDefault();
        }}
      />
      <div class="actions">
        <button type="button" onClick={onClose}>
          {t.shell.cancel}
        </button>
        <button type="submit" class="primary">
          {isQuestion ? t.chat.resend : t.chat.save}
        </button>
      </div>
    </form>
  );
}
