import { plainToolSyntax, type ToolSyntax } from '../../../src/engine/prompt/tools/tool-syntax.ts';

const none = { begin: '', end: '' };
/** A syntax of each shape of calls. */
export const callSyntaxes = {
  'JSON in tags': plainToolSyntax,
  'a JSON list behind a marker': {
    ...plainToolSyntax,
    triggers: [{ text: '[TOOL_CALLS]' }],
    section: { begin: '[TOOL_CALLS][', end: ']' },
    call: none,
    separator: ', ',
    body: {
      kind: 'json',
      members: [
        { key: 'name', holds: 'name' },
        { key: 'arguments', holds: 'arguments' },
        { key: 'id', holds: 'id' },
      ],
    },
  },
  'a name between markers': {
    ...plainToolSyntax,
    triggers: [{ text: '<|calls|>' }, { text: '<|call|>' }],
    section: { begin: '<|calls|>', end: '<|/calls|>' },
    call: { begin: '<|call|>functions.', end: '<|/call|>' },
    separator: '',
    body: {
      kind: 'tagged',
      afterName: [':', { kind: 'index', from: 0 }, '<|arguments|>'],
      arguments: { kind: 'json' },
    },
  },
  'a tag for each argument': {
    ...plainToolSyntax,
    triggers: [{ text: '<tool_call>' }, { text: '<function=' }],
    call: { begin: '<tool_call>\n<function=', end: '\n</function>\n</tool_call>' },
    body: {
      kind: 'tagged',
      afterName: ['>\n'],
      arguments: {
        kind: 'parameters',
        begin: '<parameter=',
        keyEnd: { string: '>\n', other: '>\n' },
        end: '\n</parameter>',
        separator: '\n',
        strings: 'raw',
      },
    },
  },
  'elements in elements': {
    ...plainToolSyntax,
    triggers: [{ text: ']<]x[>[<calls>' }, { text: ']<]x[>[<invoke' }],
    section: { begin: ']<]x[>[<calls>\n', end: ']<]x[>[</calls>' },
    call: { begin: ']<]x[>[<invoke name="', end: ']<]x[>[</invoke>\n' },
    separator: '',
    body: {
      kind: 'tagged',
      afterName: ['">'],
      arguments: {
        kind: 'parameters',
        begin: ']<]x[>[<',
        keyEnd: { string: '>', other: '>' },
        end: ']<]x[>[</',
        nested: true,
        separator: '',
        strings: 'raw',
      },
    },
  },
  'Python calls': {
    ...plainToolSyntax,
    triggers: [{ text: '<|start|>' }],
    section: { begin: '<|start|>[', end: ']<|end|>' },
    call: none,
    separator: ', ',
    body: { kind: 'tagged', afterName: [], arguments: { kind: 'pythonic' } },
  },
  'a name that its line alone tells': {
    ...plainToolSyntax,
    triggers: [
      { text: '', named: true, atStart: true },
      { text: '>>>', named: true },
    ],
    call: none,
    separator: '>>>',
    body: { kind: 'tagged', afterName: ['\n'], arguments: { kind: 'json' } },
  },
  'keys without quotes': {
    ...plainToolSyntax,
    triggers: [{ text: '<|tool_call>' }],
    call: { begin: '<|tool_call>call:', end: '<tool_call|>' },
    separator: '',
    body: { kind: 'tagged', afterName: [], arguments: { kind: 'bare-keys', quote: '<|"|>' } },
  },
} satisfies Readonly<Record<string, ToolSyntax>>;
