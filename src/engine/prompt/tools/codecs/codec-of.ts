import type { CallCodec } from '../call-codec.ts';
import type { CallBody } from '../tool-syntax.ts';
import { jsonObjectCodec } from './json-object.ts';
import { taggedCallCodec } from './tagged-call.ts';

/** In the order in which a template's calls are compared with them. */
export const codecs = { json: jsonObjectCodec, tagged: taggedCallCodec };

/** The codec for calls with such a body. */
export const codecOf = (body: CallBody) => codecs[body.kind] as CallCodec<CallBody>;
