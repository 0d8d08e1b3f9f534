// The greatest numbers that the server takes; the page says so before it sends a form.

/** People who come by one invitation. */
export const mostSeats = 10_000;
/** Days of a trial. */
export const mostTrialDays = 36_500;
/** Tokens of a context. No model was trained for more than 10 million. */
export const mostContextTokens = 2 ** 24;
/** Layers of a model on the GPU. */
export const mostGpuLayers = 10_000;
