/** The texts of reading aloud, dictating and talking. */
export const voiceTexts = {
  read: 'Read aloud',
  stopReading: 'Stop reading',
  model: 'Model that speaks',
  voice: 'Who speaks',
  anyVoice: 'automatic',
  dictate: 'Dictate',
  dictationEnd: 'Stop dictating',
  dictationDiscard: 'Discard what was said',
  dictationBusy: 'Writing down what was said…',
  nothingHeard: 'No speech was heard. Is the right microphone on, and near enough?',
  microphoneDenied:
    'The browser did not allow the microphone. Allow it by the sign beside the address of this page, then try again.',
  handsFree: 'Talk hands-free',
  talk: 'Talk',
  handsFreeEnd: 'End talking',
  interrupt: 'Stop the answer',
  talkHint: 'What you say is sent when you pause.',
  notUnderstood: 'That was not understood. Please say it again.',
  phases: { listening: 'Listening…', thinking: 'Thinking…', speaking: 'Speaking…' },
} as const;
