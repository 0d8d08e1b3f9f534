import { z } from 'zod';
import { createWireId, type WireIdPrefix } from '../../generation/wire/wire-id.ts';
import { calledToolName } from '../../parameters/tools/function-fields.ts';

const maxIdChars = 256;

const shownId = z.string().min(1);
export const givenId = shownId.max(maxIdChars);
/** The id of an item, which gets one where a request leaves it out. */
export const id = (prefix: WireIdPrefix) => ({
  given: givenId.nullish().transform((given) => given ?? createWireId(prefix)),
  shown: shownId,
});

/** The name of a called tool. */
export const name = { given: calledToolName, shown: z.string().min(1) };
