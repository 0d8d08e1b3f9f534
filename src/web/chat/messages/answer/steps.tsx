import type { ComponentChildren } from 'preact';
import { useSeconds } from '../../../state/polled.ts';
import { parsed } from '../../../state/stored.ts';
import { t } from '../../../words/texts.ts';
import { Icon, type IconName } from '../../../ui/icon.tsx';
import { joined } from '../../../words/formats.ts';
import type { Message, ToolCall } from '../../conversations/conversation.ts';
import type { ServerCall, WantedCall } from '../../conversations/parts.ts';

type StepState = 'runs' | 'done' | 'failed' | 'stopped' | 'asks';

interface StepProps {
  readonly icon: IconName;
  readonly what: string;
  /** The arguments of a call, in JSON: the first one tells it from others of the same tool. */
  readonly args?: string;
  readonly state?: StepState;
  /** A note about its state. */
  readonly note?: ComponentChildren;
  readonly open?: boolean;
  readonly children?: ComponentChildren;
}

/** Something that an answer did between its texts, in a line that unfolds. */
function Step({ icon, what, args, state = 'done', note, open = false, children }: StepProps) {
  const argument = firstArgument(args);
  return (
    <details class={`step ${state}`} open={open}>
      <summary>
        <Icon name={icon} />
        <span class="what">
          {what}
          {argument !== '' && <span class="argument">{argument}</span>}
        </span>
        {note !== undefined && <span class="quiet">{note}</span>}
        {state === 'runs' && <i class="spinner" />}
        {state === 'failed' && <Icon name="close" />}
        {state === 'done' && icon !== 'thought' && <Icon name="done" />}
        <Icon name="right" />
      </summary>
      <div class="step-body">{children}</div>
    </details>
  );
}

/** A text speaks for itself; any other value is told with its name. */
function firstArgument(args = ''): string {
  const [[name, value] = []] = Object.entries(parsed<object | null>(args, null) ?? {});
  return name === undefined ? '' : typeof value === 'string' ? value : `${name}: ${JSON.stringify(value)}`;
}

const Sheet = ({ title, text }: { title: string; text: string }) => (
  <figure>
    <figcaption>{title}</figcaption>
    <pre tabindex={0}>{pretty(text)}</pre>
  </figure>
);

const pretty = (text: string): string => JSON.stringify(parsed<unknown>(text, undefined), null, 2) ?? text;

export function Thought({ message, growing }: { message: Message; growing: boolean }) {
  const { reasoning = '', reasoningMs = 0, content } = message;
  const isThinking = growing && content === '';
  return (
    <Step
      icon="thought"
      what={isThinking ? t.chat.thinking : t.chat.thought(reasoningMs / 1000)}
      state={isThinking ? 'runs' : 'done'}
    >
      <p class="thoughts">{reasoning}</p>
    </Step>
  );
}

/** A call that a server's tool got, with its result. `isStopped`: the person ended the answer that it belongs to. */
export function CallStep({ call, growing, isStopped }: CallProps) {
  const { name, server_label: label, arguments: args, status } = call;
  const isOpen = status === 'in_progress';
  const ended = status === 'completed' ? 'done' : isOpen && isStopped ? 'stopped' : 'failed';
  const state = isOpen && growing ? 'runs' : ended;
  const notes = {
    runs: <RunningTime />,
    done: undefined,
    stopped: t.servers.stopped,
    failed: isOpen ? t.servers.isBrokenOff : t.servers.failed,
  };
  return (
    <Step icon="tool" what={t.servers.call(name, label)} args={args} state={state} note={notes[state]}>
      {args !== '' && <Sheet title={t.servers.arguments} text={args} />}
      {!isOpen && <Sheet title={t.servers.result} text={resultOf(call)} />}
    </Step>
  );
}

interface CallProps {
  readonly call: ServerCall;
  readonly growing: boolean;
  readonly isStopped: boolean;
}

function RunningTime() {
  const seconds = useSeconds();
  return joined(t.servers.runs, seconds > 2 && t.chat.seconds(seconds));
}

/** What a call gave, or why it failed. */
export function resultOf({ output, error }: ServerCall): string {
  if (error === null) return output ?? '';
  if (error.type === 'mcp_protocol_error') return error.message;
  return error.content.map(({ text }) => text).join('\n');
}

interface WantedProps {
  readonly wanted: WantedCall;
  /** Whether the model may make it; undefined: nobody has said so. */
  readonly approves: boolean | undefined;
  /** Whether that can still be said. */
  readonly isAsked: boolean;
  /** Whether its answer is being written: it is about to be made then. */
  readonly growing?: boolean;
}

/** A call that somebody has to allow, has refused, or has said nothing to. */
export function WantedStep({ wanted, approves, isAsked, growing = false }: WantedProps) {
  const { name, server_label: label, arguments: args } = wanted;
  const note =
    approves === undefined ? t.servers.unanswered : approves ? t.servers.allowed : t.servers.refused;
  return (
    <Step
      icon="tool"
      what={t.servers.call(name, label)}
      args={args}
      state={isAsked ? 'asks' : approves !== true ? 'stopped' : growing ? 'runs' : 'done'}
      note={isAsked ? undefined : note}
      open={isAsked && !isToldByFirst(args)}
    >
      <Sheet title={t.servers.arguments} text={args} />
    </Step>
  );
}

/** In characters: as much of an argument is seen in the line of its call. */
const shortArgument = 40;

/** Whether the line of a call has its arguments in it. */
const isToldByFirst = (args: string): boolean =>
  Object.keys(parsed<object | null>(args, null) ?? {}).length < 2 &&
  firstArgument(args).length <= shortArgument;

/** A call of a function that the person answers. */
export function FunctionStep({ call, result }: { call: ToolCall; result: Message | undefined }) {
  return (
    <Step
      icon="tool"
      what={t.chat.call(call.name)}
      args={call.arguments}
      state={result === undefined ? 'asks' : 'done'}
      open={result === undefined}
    >
      <Sheet title={t.servers.arguments} text={call.arguments} />
      {result !== undefined && <Sheet title={t.servers.result} text={result.content} />}
    </Step>
  );
}
