import { memo } from 'preact/compat';
import { useState } from 'preact/hooks';
import { CopyButton, IconButton, Problem } from '../ui/controls.tsx';
import { Prose } from '../ui/prose.tsx';
import { chatModel } from '../state/models.ts';
import { t } from '../texts.ts';
import { answer } from './answer.ts';
import { append, newId, showBranch, versionsOf, type Conversation, type Message } from './conversation.ts';
import { putConversation } from './store.ts';
import { Retry, StatsLine } from './message-parts.tsx';
import { PendingCalls, ToolCalls, ToolResult } from './tool-calls.tsx';

interface Props {
  readonly message: Message;
  /** undefined while the message is being written. */
  readonly conversation?: Conversation;
  readonly isLast?: boolean;
  readonly growing?: boolean;
}

/** One message with what can be done with it. */
export const MessageView = memo(
  ({ message, conversation, isLast = false, growing = false }: Props) => {
    const [editing, setEditing] = useState(false);
    if (message.role === 'tool') return <ToolResult message={message} conversation={conversation} />;
    if (editing && conversation !== undefined)
      return <Editor message={message} conversation={conversation} onClose={() => setEditing(false)} />;
    return (
      <article class={`message ${message.role}`}>
        {message.role === 'assistant' && <Thoughts message={message} growing={growing} />}
        <Attachments message={message} />
        {message.role === 'user' ? (
          <p class="question">{message.content}</p>
        ) : (
          <Prose text={message.content} growing={growing} />
        )}
        <ToolCalls calls={message.toolCalls ?? []} />
        {isLast && conversation !== undefined && message.toolCalls !== undefined && (
          <PendingCalls message={message} conversation={conversation} />
        )}
        <Problem text={message.error} />
        {isLast && conversation !== undefined && message.error !== undefined && (
          <Retry retryAtMs={message.retryAtMs} onRetry={() => answerAgain(conversation, message)} />
        )}
        {message.finish === 'length' && <p class="note">{t.chat.cutOff}</p>}
        {message.finish === 'stopped' && <p class="note">{t.chat.stopped}</p>}
        {conversation !== undefined && (
          <MessageTools message={message} conversation={conversation} onEdit={() => setEditing(true)} />
        )}
      </article>
    );
  },
  // The conversation changes with every message; an old one shows the same unless it has another version.
  (old, next) =>
    old.message === next.message &&
    old.isLast === next.isLast &&
    old.growing === next.growing &&
    versionCount(old) === versionCount(next),
);

const versionCount = ({ conversation, message }: Props) =>
  conversation === undefined ? 0 : versionsOf(conversation, message).length;

/** Another answer in place of `message`, as a version beside it. */
function answerAgain(conversation: Conversation, message: Message): void {
  const model = chatModel.value;
  if (model === undefined) return;
  putConversation({ ...conversation, leafId: message.parentId });
  void answer(conversation.id, model.id);
}

interface ToolsProps {
  readonly message: Message;
  readonly conversation: Conversation;
  readonly onEdit: () => void;
}

function MessageTools({ message, conversation, onEdit }: ToolsProps) {
  const versions = versionsOf(conversation, message);
  const at = versions.findIndex(({ id }) => id === message.id);
  const turnTo = (index: number) => {
    const version = versions[index];
    if (version !== undefined) putConversation(showBranch(conversation, version.id));
  };
  return (
    <footer class="message-tools">
      {versions.length > 1 && (
        <span class="versions">
          <IconButton
            icon="left"
            label={t.chat.previous}
            disabled={at === 0}
            onClick={() => turnTo(at - 1)}
          />
          {at + 1}/{versions.length}
          <IconButton
            icon="right"
            label={t.chat.next}
            disabled={at === versions.length - 1}
            onClick={() => turnTo(at + 1)}
          />
        </span>
      )}
      <CopyButton text={message.content} />
      {message.role === 'user' ? (
        <IconButton icon="edit" label={t.chat.edit} onClick={onEdit} />
      ) : (
        <IconButton
          icon="again"
          label={againLabel(message)}
          onClick={() => answerAgain(conversation, message)}
        />
      )}
      <StatsLine message={message} />
    </footer>
  );
}

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

function Attachments({ message: { attachments = [] } }: { message: Message }) {
  return (
    <>
      {attachments.map(({ name, kind, dataUrl }) =>
        kind === 'image' ? (
          <img key={name} class="attached" src={dataUrl} alt={name} />
        ) : (
          <audio key={name} controls src={dataUrl} />
        ),
      )}
    </>
  );
}

/** A question being changed; sending it makes a version beside the old one. */
function Editor({
  message,
  conversation,
  onClose,
}: {
  message: Message;
  conversation: Conversation;
  onClose: () => void;
}) {
  const [text, setText] = useState(message.content);
  const resend = () => {
    const model = chatModel.value;
    if (model === undefined || text.trim() === '') return;
    onClose();
    const version = { ...message, id: newId(), content: text };
    putConversation(append({ ...conversation, leafId: message.parentId }, version));
    void answer(conversation.id, model.id);
  };
  return (
    <form
      class="message user editor"
      onSubmit={(event) => {
        event.preventDefault();
        resend();
      }}
    >
      <textarea
        aria-label={t.chat.edit}
        rows={4}
        value={text}
        ref={(area) => area?.focus()}
        onInput={({ currentTarget }) => setText(currentTarget.value)}
      />
      <div class="actions">
        <button type="button" onClick={onClose}>
          {t.shell.cancel}
        </button>
        <button type="submit" class="primary">
          {t.chat.resend}
        </button>
      </div>
    </form>
  );
}
