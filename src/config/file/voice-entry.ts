import { z } from 'zod';
import type { NamedVoice } from '../../voices/voices.ts';
import { readable } from '../readable.ts';

const name = z.string().regex(/^[\p{L}\p{N}_-][\p{L}\p{N} ._-]{0,63}$/u, {
  error: 'a voice has up to 64 letters, digits, spaces and characters of "._-"',
});
const file = z.string().min(1);

export const voicesSchema = z.record(
  name,
  z.union([file, z.strictObject({ file })], { error: 'must be a recording, or { file }' }),
);

/** The voices under `voices:`, in their order. Files become absolute by `resolve`. Throws ConfigError. */
export function toVoices(
  entries: z.output<typeof voicesSchema> = {},
  resolve: (file: string) => string,
): readonly NamedVoice[] {
  return Object.entries(entries).map(([voice, entry]) => {
    const recording = resolve(typeof entry === 'string' ? entry : entry.file);
    return { name: voice, path: readable(recording, `voices.${voice}`, 'name a recording of the voice') };
  });
}
