import { deriveJsonCalls } from './derive-json-calls.ts';
import { deriveTaggedCalls } from './derive-tagged-calls.ts';
import { findKnownToolSyntax } from './known-tool-syntaxes.ts';
import type { RenderedCalls } from '../../probe/rendered-calls.ts';
import { firstMarker } from '../../text/text-cuts.ts';
import type { CallLayout, ToolSyntax, ToolTrigger } from '../tool-syntax.ts';

/**
 * The syntax in which a template writes calls; undefined when it writes none, or none that can be described.
 * `rendered` is what it made of the probe's calls, free of thoughts.
 */
export function deriveToolSyntax(
  rendered: RenderedCalls | undefined,
  source: string,
): ToolSyntax | undefined {
  const known = findKnownToolSyntax(rendered?.two ?? rendered?.one ?? '', source);
  if (known) return known;
  if (!rendered) return undefined;
  const layout = deriveJsonCalls(rendered) ?? deriveTaggedCalls(rendered);
  if (!layout) return undefined;
  const triggers = triggersOf(layout, rendered.afterAnswer, source);
  return triggers.length === 0 ? undefined : { triggers, ...layout };
}

function triggersOf(layout: CallLayout, afterAnswer: string, source: string): ToolTrigger[] {
  const begin = (layout.section.begin + layout.call.begin).trimStart();
  const triggers: ToolTrigger[] = [];
  const first = firstTrigger(begin, afterAnswer.trimStart());
  // A bracket alone is in any text: it counts at the beginning only, with the name of a tool behind it.
  if (/^[^\w<]{0,2}$/.test(first)) {
    const key = layout.body.kind === 'json' ? layout.body.members[0]?.key : undefined;
    if (key === undefined && first === '') return [];
    const opened = key === undefined ? [''] : [`{"${key}"`, `{ "${key}"`];
    for (const text of opened) triggers.push({ text: first + text, atStart: true });
  } else triggers.push({ text: first });
  // Models leave out the outer of two tags now and then.
  const inner = layout.section.begin === '' ? begin.slice(triggers[0]?.text.length ?? 0) : layout.call.begin;
  const innerTag = firstMarker(inner);
  if (begin !== '' && /^<[^\s]{3,}$/.test(innerTag)) triggers.push({ text: innerTag });
  if (source.includes('<|python_tag|>')) triggers.push({ text: '<|python_tag|>' });
  return triggers;
}

/** The shortest beginning that is whole and that does not also follow an answer. */
function firstTrigger(begin: string, afterAnswer: string): string {
  let trigger = '';
  while (trigger.length < begin.length) {
    const rest = begin.slice(trigger.length);
    const blank = rest.length - rest.trimStart().length;
    trigger += rest.slice(0, blank) + firstMarker(rest);
    if (!afterAnswer.startsWith(trigger) && isDistinctive(trigger)) break;
  }
  return trigger.trimEnd();
}

/** A word that prose may hold is no sign of a call by itself. */
const isDistinctive = (text: string) => /[<[{|`]/.test(text);
