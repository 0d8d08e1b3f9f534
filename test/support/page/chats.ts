import type { Locator, Page } from 'playwright-core';

/** A chat as the page exports it: one question and `answer`. */
export function chatFile(title: string, answer: string, more: object = {}): string {
  const messages = [
    { id: `${title}-1`, parentId: null, role: 'user', content: title },
    { id: `${title}-2`, parentId: `${title}-1`, role: 'assistant', content: answer, model: 'tiny' },
  ];
  const conversation = {
    id: title.toLowerCase(),
    title,
    updatedAtMs: Date.now(),
    settings: {},
    messages,
    leafId: `${title}-2`,
    ...more,
  };
  return JSON.stringify({ format: 'hearth-chats', version: 1, conversations: [conversation] });
}

/** Does one of the things that the menu of a chat has, or that of all chats. */
export async function chooseInMenu(page: Page, chat: string | undefined, item: string): Promise<void> {
  await page
    .getByRole('button', {
      name: chat === undefined ? 'Import, export, delete' : `More: ${chat}`,
      exact: true,
    })
    .click();
  await page.locator('.sheet-over').getByRole('button', { name: item, exact: true }).click();
}

/** Imports a file of chats as a person would. */
export async function importChats(page: Page, text: string): Promise<void> {
  await page
    .locator('.list-tools input')
    .setInputFiles({ name: 'chats.json', mimeType: 'application/json', buffer: Buffer.from(text) });
}

/** Opens a chat whose answer is `answer`, and gives back where that is shown. */
export async function showAnswer(page: Page, title: string, answer: string) {
  await importChats(page, chatFile(title, answer));
  await page.getByRole('link', { name: title }).click();
  // Plain until the code for Markdown is loaded, with the first answer.
  const prose = page.locator('.message.assistant .prose:not(.plain)');
  await prose.first().waitFor();
  return prose;
}

/** Does something with an answer that its menu has. */
export async function doWith(answer: Locator, act: string): Promise<void> {
  await answer.getByRole('button', { name: 'More', exact: true }).click();
  await answer.getByRole('button', { name: act, exact: true }).click();
}
