import { importPart } from '../../api/connection.ts';
import type { Conversation } from './conversation.ts';
import { saveFile } from '../../ui/save-file.ts';

export const loadTransfer = () => importPart(() => import('./transfer/transfer.ts'));

/** Has the browser save the shown branch of a chat as a text for people. */
export async function saveMarkdown(conversation: Conversation): Promise<void> {
  const { toMarkdown } = await importPart(() => import('./transfer/markdown.ts'));
  const name = conversation.title.replaceAll(/[^\p{L}\p{N}]+/gu, '-').replaceAll(/^-|-$/g, '') || 'chat';
  saveFile(`${name}.md`, new Blob([toMarkdown(conversation)], { type: 'text/markdown' }));
}

/** Has the browser save all conversations as a file. */
export async function saveConversations(): Promise<void> {
  const { exportConversations } = await loadTransfer();
  saveFile('hearth-chats.json', await exportConversations());
}
