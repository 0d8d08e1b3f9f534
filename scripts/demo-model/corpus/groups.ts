import type { Conversation, Group } from '../conversation.ts';
import { type simpleGroups, writeSimpleConversation } from './chat/joined.ts';
import { writeJsonConversation } from './json/json.ts';
import { writeMemoryConversation } from './person/memory.ts';
import { writePersonaConversation } from './person/persona.ts';
import type { Choices } from './text/choices.ts';
import { writeThinkingConversation } from './thinking/thinking.ts';
import { writeNoToolFitsConversation } from './tools/no-tool-fits.ts';
import { writeToolResultsConversation } from './tools/tool-results.ts';
import { writeToolsConversation } from './tools/tools.ts';

/** One skill: how its conversations are written, and how many of a hundred they are. */
export interface CorpusGroup {
  readonly group: Group;
  readonly weight: number;
  readonly write: (choices: Choices) => Conversation;
}

/** The groups that need neither tools nor thoughts; what has to be copied or computed needs the most examples. */
export const chatGroups: readonly CorpusGroup[] = [
  simple('greeting', 15),
  simple('hearth', 26),
  simple('facts', 40),
  simple('unknown', 12),
  simple('arithmetic', 16),
  simple('spelling', 42),
  simple('lists', 15),
  { group: 'persona', weight: 20, write: writePersonaConversation },
  { group: 'memory', weight: 14, write: writeMemoryConversation },
];

/** The groups about tools, thinking and JSON. */
export const taskGroups: readonly CorpusGroup[] = [
  { group: 'tools', weight: 36, write: writeToolsConversation },
  { group: 'tool-results', weight: 11, write: writeToolResultsConversation },
  { group: 'no-tool-fits', weight: 13, write: writeNoToolFitsConversation },
  { group: 'thinking', weight: 26, write: writeThinkingConversation },
  { group: 'json', weight: 24, write: writeJsonConversation },
];

export const corpusGroups: readonly CorpusGroup[] = [...chatGroups, ...taskGroups];

function simple(group: keyof typeof simpleGroups, weight: number): CorpusGroup {
  return { group, weight, write: (choices) => writeSimpleConversation(choices, group) };
}
