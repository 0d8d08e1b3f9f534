import type { Conversation, Group } from '../conversation.ts';
import { chatGroups } from './chat-groups.ts';
import type { Choices } from './text/choices.ts';
import { taskGroups } from './task-groups.ts';

/** One skill: how its conversations are written, and how many of a hundred they are. */
export interface CorpusGroup {
  readonly group: Group;
  readonly weight: number;
  readonly write: (choices: Choices) => Conversation;
}

export const corpusGroups: readonly CorpusGroup[] = [...chatGroups, ...taskGroups];
