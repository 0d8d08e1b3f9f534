/** Leads the keyboard to a button of a message that shows in a moment. */
export const focusIn = (messageId: string, button: string) =>
  setTimeout(() =>
    document.querySelector<HTMLElement>(`[data-id="${CSS.escape(messageId)}"] ${button}`)?.focus(),
  );
