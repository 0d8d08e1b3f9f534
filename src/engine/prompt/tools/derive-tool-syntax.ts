import type { RenderedCalls } from '../probe/rendered-calls.ts';
import { firstMarker } from '../text/text-cuts.ts';
import { codecs } from './codecs/codec-of.ts';
import { channelTexts } from '../thoughts/read-channels.ts';
import {
  noTexts,
  plainToolSyntax,
  type CallBody,
  type CallLayout,
  type ToolSyntax,
  type ToolTrigger,
} from './tool-syntax.ts';

/** Calls in a list between two markers. */
const listIn = (begin: string, end: string, body: CallBody): ToolSyntax => ({
  triggers: [{ text: begin }],
  section: { begin: `${begin}[`, end: `]${end}` },
  call: noTexts,
  separator: ', ',
  body,
  parallel: true,
});

/**
 * Families whose syntax cannot be derived, recognised by the template's source or its text for the probe's calls; the
 * first that matches counts.
 */
const knownSyntaxes: readonly { readonly source: RegExp; readonly syntax: ToolSyntax }[] = [
  {
    // gpt-oss: a call is a message to functions.NAME on the commentary channel, and its header has several forms.
    source: /<\|channel\|>commentary/,
    syntax: {
      triggers: [{ text: channelTexts.callBegin }],
      section: noTexts,
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

/**
 * The syntax in which a template writes calls; undefined when it writes none, or writes them in an unknown way.
 * `rendered` is its text for the probe's calls, without thoughts.
 */
export function deriveToolSyntax(
  rendered: RenderedCalls | undefined,
  source: string,
): ToolSyntax | undefined {
  const written = `${source}\n${rendered?.two ?? rendered?.one ?? ''}`;
  const known = knownSyntaxes.find((family) => family.source.test(written));
  if (known) return known.syntax;
  if (!rendered) return undefined;
  let layout: CallLayout | undefined;
  for (const codec of Object.values(codecs)) layout ??= codec.derive(rendered, source);
  if (!layout) return undefined;
  const triggers = triggersOf(layout, rendered.besides, source);
  return triggers.length === 0 ? undefined : { triggers, ...layout };
}

function triggersOf(layout: CallLayout, besides: readonly string[], source: string): ToolTrigger[] {
  const begin = (layout.section.begin + layout.call.begin).trimStart();
  const triggers: ToolTrigger[] = [];
  const first = firstTrigger(begin, besides);
  if (layout.body.kind === 'tagged' && !isDistinctive(first)) return namedTriggers(begin, layout);
  // Any text may hold a bracket. It is a trigger only at the beginning, with the name of a tool after it.
  if (/^[^\w<]{0,2}$/.test(first)) {
    const key = layout.body.kind === 'json' ? layout.body.members[0]?.key : undefined;
    const opened = key === undefined ? [''] : [`{"${key}"`, `{ "${key}"`];
    for (const text of opened) triggers.push({ text: first + text, atStart: true });
  } else triggers.push(bordered(first, begin, layout));
  // Models sometimes leave out the outer of two tags, so the inner one is a trigger as well.
  const inner = layout.section.begin === '' ? begin.slice(triggers[0]?.text.length ?? 0) : layout.call.begin;
  const innerTag = firstMarker(inner);
  const isOwn = /^<[^\s]{3,}$/.test(innerTag) && !layout.section.begin.startsWith(innerTag);
  if (begin !== '' && isOwn)
    triggers.push(bordered(innerTag, begin.slice(begin.lastIndexOf(innerTag)), layout));
  if (source.includes('<|python_tag|>')) triggers.push({ text: '<|python_tag|>' });
  return triggers;
}

/**
 * The trigger `text`, with which `begin` begins. Where it ends within a word, code may hold it, as `#include <functional>`
 * holds `<function`: it counts only before the name of a tool then.
 */
function bordered(text: string, begin: string, { body }: CallLayout): ToolTrigger {
  const namesNext = body.kind === 'tagged' && body.beforeName === undefined;
  return /\w$/.test(text) && namesNext ? { text: begin, named: true } : { text };
}

/** Triggers for calls whose beginning is too plain to tell a call from text without the name of a tool. */
function namedTriggers(begin: string, { body, separator }: CallLayout): ToolTrigger[] {
  const isBare = begin === '' && body.kind === 'tagged' && typeof body.afterName[0] !== 'string';
  if (isBare) return [];
  const first: ToolTrigger = { text: begin, named: true, ...(begin === '' && ({ atStart: true } as const)) };
  return separator.trim() === '' ? [first] : [first, { text: separator.trimStart() + begin, named: true }];
}

/** The shortest beginning of a call that cuts no marker and with which nothing beside calls begins. */
function firstTrigger(begin: string, besides: readonly string[]): string {
  let trigger = '';
  while (trigger.length < begin.length) {
    const rest = begin.slice(trigger.length);
    const blank = rest.length - rest.trimStart().length;
    trigger += rest.slice(0, blank) + firstMarker(rest);
    if (!besides.some((text) => text.startsWith(trigger)) && isDistinctive(trigger)) break;
  }
  return trigger.trimEnd();
}

/** Whether `text` can tell a call from prose: a plain word cannot. */
const isDistinctive = (text: string) => /[<[{|`]/.test(text);
