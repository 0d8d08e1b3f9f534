import type { CorpusGroup } from './groups.ts';
import { type SimpleGroup, writeSimpleConversation } from './chat/joined.ts';
import { writeMemoryConversation } from './person/memory.ts';
import { writePersonaConversation } from './person/persona.ts';

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

function simple(group: SimpleGroup, weight: number): CorpusGroup {
  return { group, weight, write: (choices) => writeSimpleConversation(choices, group) };
}
