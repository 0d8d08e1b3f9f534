import { importPart } from '../../api/connection.ts';
import { saveFile } from '../../ui/save-file.ts';

export const loadTransfer = () => importPart(() => import('./transfer.ts'));

/** Has the browser save all conversations as a file. */
export async function saveConversations(): Promise<void> {
  const { exportConversations } = await loadTransfer();
  saveFile('hearth-chats.json', await exportConversations());
}
