import type { Conversation, Group, Message } from '../conversation.ts';
import type { EvaluationCase } from './case.ts';
import { firstThings } from './first-things.ts';
import { readCases } from './read-cases.ts';

/** The groups that need neither tools nor thoughts … */
const chat = [
  ...(['greeting', 'hearth', 'facts', 'unknown', 'arithmetic', 'spelling', 'lists'] as const),
  ...(['persona', 'memory'] as const),
];
/** … and those about tools, thinking and JSON. */
const tasks = ['tools', 'tool-results', 'no-tool-fits', 'thinking', 'json'] as const;

const ofGroups = (groups: readonly Group[]) => groups.flatMap((group) => readCases(group));
const blindOfGroups = (groups: readonly Group[]) =>
  groups.flatMap((group) => readCases(group, `blind ${group} cases`));

export const chatCases: readonly EvaluationCase[] = ofGroups(chat);
export const taskCases: readonly EvaluationCase[] = ofGroups(tasks);
export const blindChatCases: readonly EvaluationCase[] = blindOfGroups(chat);
export const blindTaskCases: readonly EvaluationCase[] = blindOfGroups(tasks);

/** Those of two authors: the blind ones are by somebody who had not read the corpus. */
export const blindCases: readonly EvaluationCase[] = [...blindChatCases, ...blindTaskCases];
export const allCases: readonly EvaluationCase[] = [...chatCases, ...taskCases, ...blindCases];

const normalised = (text: string): string => text.trim().toLowerCase();
const lastQuestion = (messages: readonly Message[]): string =>
  normalised(messages.findLast(({ role }) => role === 'user')?.content ?? '');

// Where something was said before the question, as a system prompt or a name, the whole of it is held out.
const questions = new Set([
  ...allCases.filter(({ messages }) => messages.length === 1).map(({ messages }) => lastQuestion(messages)),
  ...firstThings
    .filter(({ turns }) => turns.length === 1)
    .map(({ turns: [asked = ''] }) => normalised(asked)),
]);
const conversations = new Set(allCases.map(({ messages }) => JSON.stringify(messages)));
const toolNames = new Set(allCases.flatMap(({ tools = [] }) => tools.map(({ name }) => name)));

/** True when the evaluation asks this: chance brings about everything in a large enough corpus. */
export function isHeldOut({ messages, tools = [] }: Conversation): boolean {
  return (
    messages.some(({ role, content }) => role === 'user' && questions.has(normalised(content))) ||
    conversations.has(JSON.stringify(messages.slice(0, -1))) ||
    tools.some(({ name }) => toolNames.has(name))
  );
}
