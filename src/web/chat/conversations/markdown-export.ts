import { withTexts } from '../answers/request.ts';
import { t } from '../../texts.ts';
import { branchOf, type Conversation } from './conversation.ts';

/** The shown branch of a chat as Markdown: a heading for each speaker, and attached texts in fences. */
export function toMarkdown(conversation: Conversation): string {
  const parts = branchOf(conversation).flatMap(
    ({ role, content, model, attachments = [], toolName = '' }) => {
      const files = attachments.flatMap(({ kind, name }) => (kind === 'text' ? [] : `*${name}*`));
      const text = [...files, withTexts(content, attachments)].join('\n\n').trim();
      const speaker =
        role === 'user'
          ? t.chat.you
          : role === 'tool'
            ? t.chat.toolResult(toolName)
            : (model ?? t.chat.model);
      return text === '' ? [] : `## ${speaker}\n\n${text}\n`;
    },
  );
  const system = conversation.settings.system;
  const head = system === undefined ? [] : [`> ${system.replaceAll('\n', '\n> ')}\n`];
  return [`# ${conversation.title || t.chat.untitled}\n`, ...head, ...parts].join('\n');
}
