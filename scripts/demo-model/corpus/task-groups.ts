import type { CorpusGroup } from './groups.ts';
import { writeJsonConversation } from './json/json.ts';
import { writeNoToolFitsConversation } from './tools/no-tool-fits.ts';
import { writeThinkingConversation } from './thinking/thinking.ts';
import { writeToolResultsConversation } from './tools/tool-results.ts';
import { writeToolsConversation } from './tools/tools.ts';

/** The groups about tools, thinking and JSON, with their shares of all conversations. */
export const taskGroups: readonly CorpusGroup[] = [
  { group: 'tools', weight: 36, write: writeToolsConversation },
  { group: 'tool-results', weight: 11, write: writeToolResultsConversation },
  { group: 'no-tool-fits', weight: 13, write: writeNoToolFitsConversation },
  { group: 'thinking', weight: 26, write: writeThinkingConversation },
  { group: 'json', weight: 24, write: writeJsonConversation },
];
