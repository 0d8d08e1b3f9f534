import { anyObject, refuse } from './schema-parts.ts';

const maxMetadataEntries = 16;
const maxMetadataNameChars = 64;
const maxMetadataValueChars = 512;

/** Texts by name that are only repeated in the answer. */
export const metadata = anyObject
  .transform((entries, context): Readonly<Record<string, string>> => {
    const names = Object.keys(entries);
    if (names.length > maxMetadataEntries) {
      return refuse(context, `must have at most ${maxMetadataEntries} entries`);
    }
    for (const name of names) {
      if (name.length > maxMetadataNameChars)
        return refuse(context, `must have names of at most ${maxMetadataNameChars} characters`);
      const value = entries[name];
      if (typeof value !== 'string' || value.length > maxMetadataValueChars)
        return refuse(context, `must be a string of at most ${maxMetadataValueChars} characters`, {
          path: [name],
        });
    }
    return entries as Readonly<Record<string, string>>;
  })
  .meta({
    maxProperties: maxMetadataEntries,
    propertyNames: { maxLength: maxMetadataNameChars },
    additionalProperties: { type: 'string', maxLength: maxMetadataValueChars },
  });
