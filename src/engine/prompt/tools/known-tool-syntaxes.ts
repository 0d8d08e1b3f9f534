import { channelTexts } from '../thoughts/read-channels.ts';
import { plainToolSyntax, type CallBody, type ToolSyntax } from './tool-syntax.ts';

interface KnownSyntax {
  /** Matches the template's source, or what it wrote for the probe's calls. */
  readonly source: RegExp;
  readonly syntax: ToolSyntax;
}

const none = { begin: '', end: '' };

/** Calls in a list between two markers. */
const listIn = (begin: string, end: string, body: CallBody): ToolSyntax => ({
  triggers: [{ text: begin }],
  section: { begin: `${begin}[`, end: `]${end}` },
  call: none,
  separator: ', ',
  body,
  parallel: true,
});

/** Families whose syntax cannot be derived, recognised by texts in their templates; the first that matches counts. */
const knownSyntaxes: readonly KnownSyntax[] = [
  {
    // gpt-oss: a call is a message to functions.NAME on the commentary channel, and its header has several forms.
    source: /<\|channel\|>commentary/,
    syntax: {
      triggers: [{ text: channelTexts.callBegin }],
      section: none,
      call: { begin: channelTexts.callBegin, end: '<|call|>' },
      separator: '',
      body: {
        kind: 'tagged',
        afterName: [' <|constrain|>json<|message|>'],
        arguments: { kind: 'json' },
      },
      parallel: false,
      channels: true,
    },
  },
  {
    // The template of Granite 3 describes in words that a list follows the marker, and renders no calls.
    source: /<\|tool_call\|>(?: followed by|[^>]{0,40}JSON list)/,
    syntax: listIn('<|tool_call|>', '', plainToolSyntax.body),
  },
  {
    // LFM2 lists tools between markers of this family, LFM2.5 in plain words. Most of their templates render no calls.
    source: /<\|tool_list_start\|>|"List of tools: \["/,
    syntax: listIn('<|tool_call_start|>', '<|tool_call_end|>', {
      kind: 'tagged',
      afterName: [],
      arguments: { kind: 'pythonic' },
    }),
  },
];

/** The syntax of the family that `source`, or what it rendered, belongs to; undefined when it is none of these. */
export const findKnownToolSyntax = (rendered: string, source: string): ToolSyntax | undefined =>
  knownSyntaxes.find((known) => known.source.test(`${source}\n${rendered}`))?.syntax;
