/**
 * Tokens of a voice's context: 376 for a recording of 30 s and 290 for a piece of text that Pocket TTS speaks at a
 * time; or 110 for a piece of text and 512 frames of Qwen3-TTS.
 */
export const voiceContextTokens = 1024;
/** Tokens per step, at most. */
export const voiceBatchTokens = 512;
