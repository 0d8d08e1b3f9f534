import { fc } from '../../../support/properties.ts';
import { describe, expect, it } from 'vitest';
import { larkPattern } from '../../../../src/grammar/lark/lark-pattern.ts';
import { PatternError } from '../../../../src/grammar/language/pattern/pattern-node.ts';

const matches = (grammar: string, text: string) => new RegExp(larkPattern(grammar), 'u').test(text);

const patch = String.raw`
// Edits of files.
start: begin edit+ end
begin: "*** Begin" LF
end: "*** End" LF?
?edit: add | remove | change
add: "*** Add: " name LF added+
remove: "*** Remove: " name LF
change: "*** Change: " name LF moved? lines?
moved: "*** To: " name LF
lines: (place | line)+ last?
place: ("@@" | "@@ " /(.+)/) LF
line: ("+" | "-" | " ") /(.*)/ LF
added: "+" /(.*)/ LF -> line
last: "*** Last" LF
name: /(.+)/
%import common.LF
`;

it('accepts what a grammar for patches does', () => {
  for (const text of [
    '*** Begin\n*** Add: a.txt\n+one\n+\n*** End',
    '*** Begin\n*** Remove: a\n*** Change: b\n*** To: c\n@@\n-x\n+y\n@@ f\n z\n*** Last\n*** End\n',
  ])
    expect(matches(patch, text), text).toBe(true);
  for (const text of ['', '*** Begin\n*** End', '*** Begin\n*** Add: a\n*** End', '*** Begin\n*** Change: b\nx\n*** End'])
    expect(matches(patch, text), text).toBe(false);
}); // prettier-ignore

it.each([
  ['start: "a" | "b"\n  | "c"', ['a', 'b', 'c'], ['', 'ab']],
  ['start: ("a" | "b") "c"', ['ac', 'bc'], ['a', 'c']],
  ['start: ["a"] "b"', ['b', 'ab'], ['a']],
  ['start: "ab"~2..3', ['abab', 'ababab'], ['ab', 'abababab']],
  ['start: "ab"~2', ['abab'], ['ab', 'ababab']],
  ['start: "0".."9" "a"i', ['5a', '0A'], ['a', '10a']],
  ['start: X Y\nX.2: "a" | "b"\nY: X+', ['aa', 'bab'], ['a']],
  ['start: "[x]" /[a-z]{2}/ "\\n" "\\x41"', ['[x]ab\nA'], ['xab\nA']],
  ['start: _a b\n_a: "("\n!b: ")"', ['()'], ['(']],
  ['start: A "b"\nA: "a"+\n%ignore WS\n%import common.WS', ['ab', ' aa  b\n'], ['a', 'a ab']],
  ['%import common (INT, WORD)\n%import common.CNAME -> NAME\nstart: INT WORD NAME', ['1ab_c'], ['a1']],
  ['start: ESCAPED_STRING\n%import common.ESCAPED_STRING', ['"a\\"b"'], ['"a"b"']],
  ['start: SIGNED_NUMBER\n%import common.SIGNED_NUMBER', ['-1.5e3', '7'], ['-', '1.5.2']],
  ['start: # nothing yet\n', [''], ['a']],
])('%s', (grammar, accepted, refused) => {
  for (const text of accepted) expect(matches(grammar, text), text).toBe(true);
  for (const text of refused) expect(matches(grammar, text), text).toBe(false);
});

describe('is refused, with the reason:', () => {
  it.each([
    ['start: start "a"', "'start' refers to itself"],
    ['start: a\na: "x" b\nb: "(" a ")"', "'a' refers to itself"],
    ['start: a', "no definition of 'a'"],
    ['a: "a"', "no definition of 'start'"],
    ['start: "a"\nstart: "b"', "'start' is defined twice"],
    ['start: "a', 'is not understood'],
    ['start: ("a"', "there is no ')'"],
    ['start: "a" )', "')' is not supported here"],
    ['start: /a/i', "the flag 'i'"],
    ['start: "a"\n%declare B', "'%declare' is not supported"],
    ['%import python.NAME\nstart: NAME', "only 'common'"],
    ['%import common.NOPE\nstart: NOPE', "'common.NOPE' is not known"],
    ['start: x{a}\nx{y}: y', 'is not understood'],
    [`start: a0\n${Array.from({ length: 20 }, (_, at) => `a${at}: a${at + 1} a${at + 1}`).join('\n')}\na20: "x"`, 'more than 4096 characters'],
    [`start: ${'('.repeat(200)}"a"${')'.repeat(200)}`, 'deeper than 32'],
  ])('%s', (grammar, reason) => {
    expect(() => larkPattern(grammar)).toThrow(PatternError);
    expect(() => larkPattern(grammar)).toThrow(reason);
  }); // prettier-ignore
});

it('any text is read or refused, and quickly', () => {
  const pieces = fc.constantFrom('start', ':', ' ', '\n', '"a"', '/b/', '(', ')', '|', '*', '+', '?', '~2', 'X', 'y', '%import common.WS', '%ignore', '->', '[', ']', '..', '//c\n');
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.array(pieces, { maxLength: 60 }).map((parts) => parts.join(''))), (source) => {
      try {
        expect(larkPattern(source)).toMatch(/^\^.*\$$/s);
      } catch (error) {
        expect(error).toBeInstanceOf(PatternError);
      }
    }),
  );
}); // prettier-ignore
