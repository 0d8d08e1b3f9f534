import { channelTexts } from '../thoughts/read-channels.ts';
import { plainToolSyntax, type ToolSyntax } from './tool-syntax.ts';

interface KnownSyntax {
  /** Matches the template's source, or what it wrote for the probe's calls. */
  readonly source: RegExp;
  readonly syntax: ToolSyntax;
}

const none = { begin: '', end: '' };

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
    syntax: {
      triggers: [{ text: '<|tool_call|>' }],
      section: { begin: '<|tool_call|>[', end: ']' },
      call: none,
      separator: ', ',
      body: plainToolSyntax.body,
      parallel: true,
    },
  },
  {
    // LFM2 lists tools between markers of this family, LFM2.5 in plain words. Most of their templates render no calls.
    source: /<\|tool_list_start\|>|"List of tools: \["/,
    syntax: {
      triggers: [{ text: '<|tool_call_start|>' }],
      section: { begin: '<|tool_call_start|>[', end: ']<|tool_call_end|>' },
      call: none,
      separator: ', ',
      body: { kind: 'tagged', afterName: [], arguments: { kind: 'pythonic' } },
      parallel: true,
    },
  },
];

/** The syntax of the family that `source`, or what it rendered, belongs to; undefined when it is none of these. */
export const findKnownToolSyntax = (rendered: string, source: string): ToolSyntax | undefined =>
  knownSyntaxes.find((known) => known.source.test(`${source}\n${rendered}`))?.syntax;
