import type { Conversation } from '../../conversations/conversation.ts';
import { wantedCalls } from '../../conversations/parts.ts';
import { DropNote } from './drop-note.tsx';
import { LengthNote } from './length-note.tsx';
import { NextNote } from './next-note.tsx';
import { PermissionNote } from './permission-note.tsx';
import { RestNote } from './rest-note.tsx';

interface Props {
  readonly conversation: Conversation;
  readonly isAnswering: boolean;
  /** Whether a file is dragged over the page. */
  readonly isOver: boolean;
  readonly onModel: (id: string) => void;
}

/** Notes for the person before the next message is sent, above the field where it is written. */
export const Notes = ({ conversation, isAnswering, isOver, onModel }: Props) => (
  <>
    {isOver && <DropNote />}
    {!isAnswering && isAsked(conversation) && <PermissionNote />}
    <RestNote conversation={conversation} isAnswering={isAnswering} />
    <LengthNote conversation={conversation} onModel={onModel} />
    <NextNote id={conversation.id} />
  </>
);

/** Whether the model wants to make calls that nobody allowed or refused. */
const isAsked = ({ messages, leafId }: Conversation) =>
  messages.some((message) => message.id === leafId && wantedCalls(message).length > 0);
