/** Resolves `ms` later, or else once the browser could paint; also in a tab that nobody sees, which has no frames. */
export const afterMs = (ms = 0): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
