/** The texts of reading aloud, dictating and talking. */
export const voiceTexts = {
  read: 'Read aloud',
  stopReading: 'Stop reading',
  model: 'Model that speaks',
  voice: 'Who speaks',
  anyVoice: 'automatic',
  dictate: 'Dictate',
  dictationEnd: 'Stop dictating',
  dictationBusy: 'Writing down what was said…',
  nothingHeard: 'No speech was heard. Is the right microphone on, and near enough?',
  microphoneDenied: 'The browser did not give the microphone.',
  handsFree: 'Talk hands-free',
  handsFreeEnd: 'End talking',
  talkHint: 'What you say is sent when you pause.',
  phases: { listening: 'Listening…', thinking: 'Thinking…', speaking: 'Speaking…' },
} as const;
