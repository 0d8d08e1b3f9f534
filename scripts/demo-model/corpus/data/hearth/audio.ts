import type { HearthTopic } from './intent.ts';

const recording =
  '(file|audio file|recording|sound file|voice message|voice memo|interview|talk|lecture|podcast|meeting|speech|WAV file|' +
  'MP3|voice note|dictation|phone call|sound recording|radio show|video|memo|conversation)';

/** Speech: the command, the formats, the language, subtitles. */
export const audioTopics: readonly HearthTopic[] = [
  {
    what: '(hearth transcribe|the transcribe command|transcription|the transcription of speech|speech recognition|speech to text|the command transcribe)',
    how:
      `((transcribe|write down|turn into text|convert to text|put into words) (a|my|an old|this|one|the|our|a long|a short) ${recording}|(transcribe|write down) (speech|audio|what was said|recordings|spoken words)|(turn|convert|change|make|transform) (a|my|the|this|an old) ${recording} (into|to) (text|written words|words|writing)` +
      `|(turn|convert|change) (speech|audio|spoken words|a voice|what was said) (into|to) (text|written words|words)|(get|have|extract|make|obtain|produce) (the text|a transcript|the words|a transcription|a written version) (of|from) (a|my|an old|the) ${recording}|(use|run) (speech recognition|whisper))`,
    unsure: `(how to (transcribe|write down) (a|my) ${recording}|how (a|my) ${recording} (becomes|is turned into) text|which command (transcribes|writes down) (a|my) ${recording}|whether hearth understands speech|how to get a transcript)`,
    whether:
      '(hearth (understands|transcribes|hears|recognizes|can hear|can transcribe) (speech|audio|recordings|spoken words|my voice))',
    story: `(I (recorded|have|was sent|got|made) (a|an) (interview|recording|voice message|lecture|talk|meeting|audio file) and (need|want|would like) (the text|it in writing|a transcript|it as text))`,
    questions: [
      'can hearth (understand|transcribe|hear|write down|recognize|process) (speech|audio|recordings|a recording|sound|spoken words|a voice)?',
      `(transcribe|write down|please transcribe) (this|a|my|the) ${recording}.`,
      `(transcribe|transcript of|speech to text|audio to text|transcription of) (recording|audio|${recording})(|?)`,
      `(which|what) command (transcribes|writes down|turns) (a|my) (recording|file|audio file|talk) (into text|)?`,
      `I (need|want) (a transcript|the text|the words|a written version) of (a|my|an old) ${recording}.`,
      'does hearth (do|have|offer|support|come with) (speech recognition|speech to text|transcription|whisper)?',
    ],
    answer: 'Run `hearth transcribe FILE`, or send the file to `POST /v1/audio/transcriptions`.',
  },
  {
    unsure:
      '((which|what) (audio formats|sound formats|audio files|kinds of audio) (hearth takes|are accepted|are possible|can be transcribed)|how (long|large|big) (a recording|an audio file) may be)',
    what: '(the audio formats|the accepted audio files|the limit for audio files|the formats of recordings)',
    whether:
      '((MP3|WAV|FLAC|OGG|M4A|WebM|MP4) (files |)(work|are accepted|can be transcribed|are possible)|hearth (takes|reads|accepts) (MP3|WAV|FLAC|OGG|M4A|WebM) files)',
    questions: [
      '(which|what) (audio formats|sound formats|kinds of audio|audio files|formats of audio) (does hearth take|are accepted|can I send|are supported|does hearth read|work)?',
      'how (long|large|big) (may|can) (a recording|an audio file|a sound file|audio) be?',
      'can I (send|transcribe|use) (an MP3|a WAV|a FLAC file|an OGG file|a video|MP4 files)?',
      '(audio formats|supported audio|mp3 or wav|audio length)(|?)',
    ],
    answer: 'Audio may be flac, mp3, mp4, m4a, ogg, wav or webm: up to 25 MiB and one hour.',
  },
  {
    how: '(set|choose|change|give|name|tell hearth) the language of (a recording|a transcription|the audio|an audio file|the speech|what is spoken)|transcribe (a German|a French|a Spanish|a foreign|an Italian) (recording|talk|file|interview)|(detect|recognize) the language of (a recording|speech) (by itself|automatically)',
    what: '(--language|the --language flag|the language of a transcription)',
    whether:
      '(hearth (understands|transcribes|recognizes) (other languages|German speech|French recordings|Spanish audio)|the language of a recording is (detected|recognized))',
    unsure: '(in which language a recording is transcribed|how the language of a recording is set)',
    story: '(my recording is (not in English|in German|in French|in Spanish|in another language))',
    answer: 'Use `hearth transcribe FILE --language CODE`. It is `en` unless set, and `auto` hears it.',
  },
  {
    how: '(make|create|get|write|produce|generate|have) (subtitles|captions|an SRT file|a VTT file|subtitles for a video|timed text)|(subtitle|caption) (a video|a film|my video)',
    what: '(--srt|--vtt|the --srt flag|subtitles from hearth|subtitles)',
    whether: '(hearth (makes|can make|writes) (subtitles|captions|SRT files))',
    unsure: '(how to (make|get) (subtitles|captions)|which command makes subtitles)',
    questions: [
      '(subtitles|captions|srt|vtt|subtitle file)(|?)',
      'I need (subtitles|captions) for (a video|my film|a talk).',
    ],
    answer: 'Run `hearth transcribe FILE --srt`, or with `--vtt`.',
  },
];
