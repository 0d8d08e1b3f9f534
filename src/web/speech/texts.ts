/** The texts of the view of speech. */
export const speechTexts = {
  parts: { hear: 'Speech to text', speak: 'Text to speech' },
  lead: 'Or drop an audio file anywhere here. The text appears as it is heard.',
  leadOnTouch: 'The text appears as it is heard.',
  ends: { failed: 'Failed', stopped: 'Stopped' } as Readonly<Record<string, string>>,
  record: 'Record',
  recording: 'Recording',
  removeQuestion: (name: string) => `Delete the transcript of ${name}? This cannot be undone.`,
  choose: 'Choose a file',
  noModel: 'There is no speech model yet. Get one under Models, or ask the operator.',
  insecure:
    'The microphone is off: browsers allow it on secure pages only. Open this page on the machine itself, or start hearth with tls.',
  language: 'Language',
  anyLanguage: 'automatic',
  transcribing: 'Transcribing…',
  heardUntil: (position: string) => `Transcribing… ${position}`,
  download: 'Download as',
  play: (start: string) => `Play from ${start}`,
  speakText: 'Text to speak…',
  examples: {
    'A greeting': 'Good morning! It is a fine day, and the coffee is ready.',
    'An announcement':
      'The train to the coast leaves from platform four in ten minutes. Please mind the gap.',
    'A story':
      'Once there was a lighthouse keeper who wrote letters to passing ships. One winter night, a ship answered.',
  },
  characters: (count: number, most: number) =>
    `${count.toLocaleString('en')} of ${most.toLocaleString('en')}`,
  speak: 'Speak',
  stopSpeaking: 'Stop',
  making: 'Generating the sound…',
  speaking: (time: string) => `Speaking ${time}`,
  speed: 'Speed',
  made: (seconds: number, wait: string) => `${seconds.toFixed(1)} s · first sound after ${wait}`,
  saveWav: 'Download as WAV',
} as const;
