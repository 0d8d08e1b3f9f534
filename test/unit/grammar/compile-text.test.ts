import { beforeAll, describe, expect, it } from 'vitest';
import { compileText, type TextFormat } from '../../../src/grammar/compile-text.ts';
import { grammarText } from '../../../src/grammar/gbnf.ts';
import { GbnfSampler, seededRandom } from '../../support/grammar/gbnf-sampler.ts';
import { openGrammarEngine, type EngineGrammar } from '../../support/grammar/grammar-engine.ts';

let open: (grammar: string) => EngineGrammar;
beforeAll(async () => {
  open = await openGrammarEngine();
});

function textOf(format: TextFormat): string {
  const { rootRule, rules } = compileText(format);
  return grammarText(rootRule, rules);
}

const grammar = (gbnf: string): TextFormat => ({ kind: 'grammar', gbnf });
const regex = (pattern: string): TextFormat => ({ kind: 'regex', pattern });

/** As people write it for JSON: recursive, with white space after each token. */
const json = String.raw`
root   ::= object
value  ::= object | array | string | number | ("true" | "false" | "null") ws
object ::= "{" ws ( string ":" ws value ("," ws string ":" ws value)* )? "}" ws
array  ::= "[" ws ( value ("," ws value)* )? "]" ws
string ::= "\"" ( [^"\\\x7F\x00-\x1F] | [\\] (["\\bfnrt] | "u" [0-9a-fA-F]{4}) )* "\"" ws # a string
number ::= ("-"? ([0-9] | [1-9] [0-9]{0,15})) ("." [0-9]+)? ([eE] [-+]? [0-9] [1-9]{0,15})? ws
ws     ::= | " " | "\n" [ \t]{0,20}
`;
const sums = String.raw`
root  ::= (expr "=" ws term "\n")+
expr  ::= term ([-+*/] term)*
term  ::= ident | num | "(" ws expr ")" ws | call
call  ::= ident "(" expr? ")"
ident ::= [a-z] [a-z0-9_]* ws
num   ::= [0-9]+ ws
ws    ::= [ \t]*
`;

describe('the form of a text', () => {
  it.each<[string, TextFormat, string[], string[]]>([
    ['a pattern', regex(String.raw`\d{3}-\d{2}|none`), ['123-45', 'none'], ['123-456', 'x123-45', '']],
    ['a pattern with its own anchors', regex('^(yes|no)$'), ['yes', 'no'], ['yesno', '']],
    ['a choice', { kind: 'choice', texts: ['posit', 'positive', 'ne"g\n'] }, ['posit', 'positive', 'ne"g\n'], ['pos', '']],
    ['a grammar without recursion', grammar('root ::= "1. " move " "? move?\nmove ::= [a-h] [1-8]'), ['1. e4', '1. e4 e5'], ['1. x4', '1. ']],
    ['a negated class', grammar('root ::= [^a-c\\]]+ "a"'), ['xyz\u{1F600}a'], ['xca', ']a', 'a']],
    ['a class with U+0000, which is left out', grammar('root ::= [\\x00-\\x02] "a"'), ['\x01a'], ['\x03a']],
    ['any character', grammar('root ::= . . "!"'), ['é👍!'], ['é!', '!!']],
    ['a grammar of JSON', grammar(json), ['{}', '{"a": [1, -0.5e+1, {"b\\n": null} ], "c":"\\u00e9"}\n'], ['{', '{"a":}', '[1]', '{"a":01}']],
    ['a grammar of sums', grammar(sums), ['(a +b1)*f(3)= 7\n', 'f()=x\nx=2\n'], ['a+=1\n', '(a=1\n', 'f(=1\n']],
    // As it is written, llama.cpp would follow 2^n ways after n characters.
    ['two rules that begin alike', grammar('root ::= "a" x | "a" y | "b"\nx ::= root "c"\ny ::= root "d"'), ['aaabcdc'], ['aabc']],
    ['words in rules over several lines', grammar('root ::=\n  "a" |\n  "b"\n    "c"'), ['a', 'bc'], ['b', 'ac']],
  ])('%s: llama.cpp takes what fits and nothing else', (_, format, good, bad) => {
    const compiled = open(textOf(format));
    for (const text of good) expect(compiled.accepts(text), text).toBe(true);
    for (const text of bad) expect(compiled.accepts(text), text).toBe(false);
  }); // prettier-ignore

  it('is the same language as that of the grammar before it was rewritten', () => {
    for (const gbnf of [json, sums]) {
      const [before, sampler] = [open(gbnf), new GbnfSampler(textOf(grammar(gbnf)))];
      const random = seededRandom(7);
      for (let count = 0; count < 200; count++) {
        const text = sampler.sample(random, 12);
        expect(before.accepts(text), text).toBe(true);
      }
    }
  });
});

describe('what cannot be used', () => {
  it.each([
    ['', "no rule 'root'"],
    ['root ::= "a', 'line 1'],
    ['root ::= "a"\nother ::= (', 'line 2'],
    ['root ::= a', "no rule 'a'"],
    ['root ::= "a"\nroot ::= "b"', 'there twice'],
    ['root ::= [b-a]', 'ends before it begins'],
    [String.raw`root ::= "\q"`, 'escape'],
    [String.raw`root ::= "\uD800"`, 'no character'],
    ['root ::= "a"{3,2}', 'maximum below its minimum'],
    ['root ::= <think>', 'tokens'],
    [`root ::= ${'('.repeat(70)}"a"${')'.repeat(70)}`, 'nested'],
    ['root ::= root "a" | "b"', 'begin with itself'],
    ['root ::= a*\na ::= "x" a | ', 'begin with itself'],
    ['root ::= "a" root', 'go on without end'],
    [String.raw`root ::= "a\x00"`, 'U+0000'],
    // llama.cpp would follow both ways at each such place.
    ['root ::= ("a" root "a")?', 'two ways'],
    ['root ::= "if" root ("else" root)? | "x"', 'two ways'],
    ['root ::= a{0,9} "x"\na ::= "a" a? "a"?', 'two ways'],
  ])('%j is refused with what is wrong', (gbnf, reason) => {
    expect(() => compileText(grammar(gbnf))).toThrow(
      expect.objectContaining({ code: 'invalid_value', param: 'schema', message: expect.stringContaining(reason) }),
    ); // prettier-ignore
  });

  it('a choice with U+0000, at which llama.cpp ends a text', () => {
    const wrong = expect.objectContaining({
      code: 'invalid_value',
      message: expect.stringContaining('U+0000'),
    });
    expect(() => compileText({ kind: 'choice', texts: ['a', 'b\0'] })).toThrow(wrong);
    expect(() => compileText(regex(String.raw`a\x00`))).toThrow(wrong);
  });

  it.each(['a)(b', '(?<=a)b', String.raw`\bword\b`, '[', 'a{0,5000}'])('the pattern %j', (pattern) => {
    expect(() => compileText(regex(pattern))).toThrow(expect.objectContaining({ code: 'invalid_value' }));
  });

  it.each([
    ['rules that double', `${Array.from({ length: 60 }, (_, n) => `r${n} ::= r${n + 1} r${n + 1}`).join('\n')}\nr60 ::= "a"\nroot ::= r0`],
    ['nested repetitions', 'root ::= (((("a"{1,999}){1,999}){1,999}){1,999}){1,999}'],
    ['an automaton with 2^40 states', 'root ::= [ab]* "a" [ab]{40}'],
    ['thousands of rules in a row', `${Array.from({ length: 20_000 }, (_, n) => `r${n} ::= "(" r${n + 1} ")"`).join('\n')}\nr20000 ::= root?\nroot ::= r0`],
  ])('%s end soon', (_, gbnf) => {
    expect(() => compileText(grammar(gbnf))).toThrow(
      expect.objectContaining({ code: expect.stringMatching(/^(?:schema_too_complex|invalid_value)$/) }),
    );
    // Without their bounds these would not end within years, so the time that a test has is enough of a limit.
  }); // prettier-ignore
});
