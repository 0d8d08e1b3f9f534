import { Parser, type Handler } from 'htmlparser2';
import { DocumentError } from '../document-error.ts';

/** The parser takes longer with each level. */
const mostDepth = 2000;

/** Parses HTML or XML. Throws DocumentError where elements are nested too deep, and errors of the handlers. */
export function parseMarkup(source: string, isXml: boolean, handlers: Partial<Handler>): void {
  let depth = 0;
  const parser = new Parser(
    {
      ...handlers,
      onopentag(...given) {
        if (++depth > mostDepth) throw new DocumentError('has elements that are nested too deep');
        handlers.onopentag?.(...given);
      },
      onclosetag(...given) {
        depth--;
        handlers.onclosetag?.(...given);
      },
    },
    { xmlMode: isXml },
  );
  parser.end(source);
}
