import { z } from 'zod';
import { errorTable, type ErrorCode } from '../../errors/errors.ts';
import { namedObject } from './json-schema.ts';

const codes = Object.keys(errorTable) as ErrorCode[];
const types = [...new Set(Object.values(errorTable).map(({ type }) => type))];

/** The shape of every error, in a response and as an event of a stream. */
export const errorBody = namedObject('Error', {
  error: z.strictObject({
    message: z.string().min(1).describe('What is wrong and what to do about it.'),
    type: z.enum(types),
    param: z
      .string()
      .min(1)
      .nullable()
      .describe('The parameter that is wrong, such as `messages[0].content`.'),
    code: z.enum(codes),
  }),
});
