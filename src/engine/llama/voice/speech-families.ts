import { AppError } from '../../../errors/errors.ts';
import type { SpeakingRequest } from '../../voice/speaking-types.ts';
import type { ProjectorSpeech } from '../native/projector.ts';

/** Codes of the languages of Qwen3-TTS. */
const qwenLanguages = ['zh', 'en', 'de', 'it', 'pt', 'es', 'ja', 'ko', 'fr', 'ru'];
/** Codes of the languages by which the variants of Pocket TTS are named. */
const pocketLanguages: ReadonlyMap<string, string> = new Map([
  ['english', 'en'],
  ['french', 'fr'],
  ['german', 'de'],
  ['italian', 'it'],
  ['portuguese', 'pt'],
  ['spanish', 'es'],
]);

/** Ends the name of a variant of Pocket TTS that has one voice, its own, whatever recording it hears. */
const ownVoice = '_own';

export const hasOwnVoice = ({ family, variant }: ProjectorSpeech): boolean =>
  family === 'pockettts' && variant.endsWith(ownVoice);

/**
 * Most tokens of a text that is spoken at a time. Pocket TTS cuts it into sentences itself, and reads the voice once for
 * all of them; Qwen3-TTS speaks at most 41 s, which 100 tokens do not take.
 */
export const pieceTokensOf = ({ family }: ProjectorSpeech): number => (family === 'qwen3tts' ? 100 : 400);

/** Throws AppError where the model cannot fulfil `request`. */
export function mustBeAbleTo(
  { voice, language, instructions }: Pick<SpeakingRequest, 'voice' | 'language' | 'instructions'>,
  speech: ProjectorSpeech,
  imitates: boolean,
): void {
  const { family, variant } = speech;
  if (instructions !== undefined)
    throw unsupported('instructions', 'This model takes no instructions. Leave them out.');
  if (voice !== undefined && !imitates)
    throw unsupported('voice', 'This model has one voice, its own. Leave the voice out.');
  if (voice === undefined && family === 'pockettts' && !hasOwnVoice(speech))
    throw new AppError(
      'invalid_value',
      'This model imitates a voice and has none of its own. Name one: GET /v1/audio/voices lists them.',
      { param: 'voice' },
    );
  if (language === undefined) return;
  const own = pocketLanguages.get(/^[a-z]*/.exec(variant)?.[0] ?? '');
  const known = family === 'qwen3tts' ? qwenLanguages : own === undefined ? [] : [own];
  if (known.includes(language)) return;
  const most = known.length === 0 ? 'one language and does not tell which' : known.join(', ');
  throw unsupported('language', `This model speaks ${most}. Name one of these, or leave the language out.`);
}

const unsupported = (param: string, message: string) => new AppError('unsupported_value', message, { param });
