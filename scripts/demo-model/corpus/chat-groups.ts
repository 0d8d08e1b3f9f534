import type { CorpusGroup } from './groups.ts';
import { type SimpleGroup, writeSimpleConversation } from './joined.ts';
import { writeMemoryConversation } from './memory.ts';
import { writePersonaConversation } from './persona.ts';

/** The groups that need neither tools nor thoughts; what has to be copied or computed needs the most examples. */
export const chatGroups: readonly CorpusGroup[] = [
  simple('greeting', 8),
  simple('hearth', 17),
  simple('facts', 17),
  simple('unknown', 8),
  simple('arithmetic', 24),
  simple('spelling', 16),
  simple('lists', 6),
  { group: 'persona', weight: 9, write: writePersonaConversation },
  { group: 'memory', weight: 10, write: writeMemoryConversation },
];

function simple(group: SimpleGroup, weight: number): CorpusGroup {
  return { group, weight, write: (choices) => writeSimpleConversation(choices, group) };
}
