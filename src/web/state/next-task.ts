/** Resolves once the browser could paint; also in a tab that nobody sees, which has no frames. */
export const nextTask = (): Promise<void> => new Promise((resolve) => setTimeout(resolve));
