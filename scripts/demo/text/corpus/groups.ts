import type { Conversation, Group } from '../conversation.ts';
import { type SimpleGroup, simpleGroups, writeSimpleConversation } from './chat/joined.ts';
import { writeFirstConversation } from './first/first.ts';
import { writeJsonConversation } from './json/json.ts';
import { writeMemoryConversation } from './person/memory.ts';
import { writePersonaConversation } from './person/persona.ts';
import type { Choices } from './text/choices.ts';
import { finder } from './text/data.ts';
import { weightedForms } from './text/forms.ts';
import { writeThinkingConversation } from './thinking/thinking.ts';
import { writeNoToolFitsConversation } from './tools/no-tool-fits.ts';
import { writeToolResultsConversation } from './tools/tool-results.ts';
import { writeToolsConversation } from './tools/tools.ts';

/** One skill: how its conversations are written, and their share beside those of the others. */
export interface CorpusGroup {
  readonly group: Group;
  readonly weight: number;
  readonly write: (choices: Choices) => Conversation;
}

const weightOf = finder('share of the group', weightedForms('groups'));
const groupOf = (group: Group, write: CorpusGroup['write']): CorpusGroup => ({
  group,
  weight: weightOf(group),
  write,
});

const simple = (Object.keys(simpleGroups) as SimpleGroup[]).map((group) =>
  groupOf(group, (choices) => writeSimpleConversation(choices, group)),
);

/** The groups that need neither tools nor thoughts. */
export const chatGroups: readonly CorpusGroup[] = [
  groupOf('first', writeFirstConversation),
  ...simple,
  groupOf('persona', writePersonaConversation),
  groupOf('memory', writeMemoryConversation),
];

/** The groups about tools, thinking and JSON. */
export const taskGroups: readonly CorpusGroup[] = [
  groupOf('tools', writeToolsConversation),
  groupOf('tool-results', writeToolResultsConversation),
  groupOf('no-tool-fits', writeNoToolFitsConversation),
  groupOf('thinking', writeThinkingConversation),
  groupOf('json', writeJsonConversation),
];

export const corpusGroups: readonly CorpusGroup[] = [...chatGroups, ...taskGroups];
