/**
 * The languages of the multilingual Whisper models in the order of their tokens (LANGUAGES in openai/whisper's
 * tokenizer.py). Models before large-v3 lack the last one.
 */
const codes = `
  en zh de es ru ko fr ja pt tr pl ca nl ar sv it id hi fi vi he uk el ms cs ro da hu ta no th ur hr
  bg lt la mi ml cy sk te fa lv bn sr az sl kn et mk br eu is hy ne mn bs kk sq sw gl mr pa si km sn
  yo so af oc ka be tg sd gu am yi lo uz fo ht ps tk nn mt sa lb my bo tl mg as tt haw ln ha ba jw su
  yue
`;

/** ISO 639-1 codes, 639-3 where there is no shorter one. */
export const transcriptionLanguages: readonly string[] = codes.trim().split(/\s+/);

/** The value of a request for the model to detect the language. */
export const anyLanguage = 'auto';

/** Standard codes for which Whisper uses another spelling. */
const otherSpellings: Readonly<Record<string, string>> = { jv: 'jw' };

/** The engine's code for the language that a client names; 'auto' stays 'auto'; undefined for an unknown one. */
export function toTranscriptionLanguage(name: string): string | undefined {
  const code = name.toLowerCase();
  if (code === anyLanguage || transcriptionLanguages.includes(code)) return code;
  return otherSpellings[code];
}
