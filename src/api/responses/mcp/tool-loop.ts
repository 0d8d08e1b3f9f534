import {
  nothingComputed,
  type FinishedGeneration,
  type Generation,
  type GenerationEnd,
  type Usage,
} from '../../../engine/generation.ts';
import type { AppError } from '../../../errors/errors.ts';
import type { Attachment, ChatMessage, GenerationRequest } from '../../../engine/types.ts';
import type { McpServer } from '../../../mcp/mcp-server.ts';
import type { McpResult } from '../../../mcp/tool-result.ts';
import type { RunningGeneration } from '../../generation/serve-generation.ts';
import type { OutputItem } from '../items/items.ts';
import type { OfferedTool, ServerTool } from '../tools/offered-tools.ts';
import type { ApprovedCall } from './approvals.ts';
import { callServer, failed, type EndedCall, type WantedCall } from './call-server.ts';
import type { LoopEvent } from './loop-events.ts';
import { LooseSchemas } from './loose-schemas.ts';

/** Most calls of one response, whatever it asks for. */
const mostCalls = 32;

export interface ToolLoopOptions {
  readonly request: GenerationRequest;
  readonly generate: (request: GenerationRequest, signal: AbortSignal) => Generation | Promise<Generation>;
  readonly tools: readonly OfferedTool[];
  readonly find: (label: string) => McpServer | undefined;
  /** Calls to be made before the model goes on. */
  readonly approved: readonly ApprovedCall[];
  /** Must be called before an approved call is made. */
  readonly use: (call: ApprovedCall) => void;
  /** The id under which a person is asked for a call. */
  readonly ask: (tool: ServerTool, args: string) => string;
  /** Most calls that the request wants. */
  readonly maxCalls: number | undefined;
  /** The items of the response so far, of which all are complete when a turn has ended. */
  readonly items: () => readonly OutputItem[];
  /** The messages that follow from `items`; `attachments` are those of calls by the ids of their items. */
  readonly toMessages: (
    items: readonly OutputItem[],
    attachments: ReadonlyMap<string, readonly Attachment[]>,
  ) => readonly ChatMessage[];
  /** Those of `pictures` that the model can see. */
  readonly attach: (pictures: McpResult['pictures']) => readonly Attachment[];
  /** The schema of the tool cannot be held; `error` says why. */
  readonly onLoose: (tool: ServerTool, error: AppError) => void;
  readonly onCall: (tool: ServerTool, isDone: boolean, durationMs: number) => void;
}

interface OpenCall {
  readonly tool: OfferedTool;
  readonly called: ServerTool;
  arguments: string;
}

/**
 * An answer for which the model may call tools of servers: turn after turn, until one has no such call, a person is to
 * allow one, the client is to make one, or there were enough. Everything that all turns compute is its usage.
 */
export class ToolLoop implements RunningGeneration<LoopEvent, FinishedGeneration> {
  readonly events: AsyncIterable<LoopEvent>;
  /** The first turn is checked when its first event is asked for. */
  readonly accepted = Promise.resolve();
  readonly ended: Promise<GenerationEnd>;
  readonly #options: ToolLoopOptions;
  readonly #signal: AbortSignal;
  readonly #end = Promise.withResolvers<GenerationEnd>();
  readonly #loose: LooseSchemas;
  readonly #attachments = new Map<string, readonly Attachment[]>();
  #past = nothingComputed;
  #running: Generation | undefined;
  #calls = 0;
  /** The client or a person has to do something before the model goes on. */
  #waits = false;

  constructor(options: ToolLoopOptions, signal: AbortSignal) {
    this.#options = options;
    this.#loose = new LooseSchemas(options.tools, options.onLoose);
    this.#signal = signal;
    this.events = this.#run();
    this.ended = this.#end.promise;
    signal.addEventListener('abort', () => this.#abort(), { once: true });
  }

  usageSoFar(): Usage {
    return this.#running === undefined ? this.#past : add(this.#past, this.#running.usageSoFar());
  }

  /** Ends an answer that nobody has begun to read. */
  #abort(): void {
    if (this.#running === undefined) this.#end.resolve({ outcome: 'aborted', usage: this.#past });
  }

  async *#run(): AsyncGenerator<LoopEvent> {
    try {
      let { request } = this.#options;
      for (const call of this.#options.approved) yield* this.#makeApproved(call);
      if (this.#options.approved.length > 0) request = { ...request, prompt: this.#prompt() };
      for (;;) {
        const callsBefore = this.#calls;
        const end = yield* this.#turn(request);
        if (end.outcome !== 'finished') break;
        const isOver = this.#calls === callsBefore || this.#waits || end.finishReason === 'length';
        const next = isOver ? undefined : this.#next();
        if (next === undefined) {
          const finishReason = isOver ? end.finishReason : 'length';
          this.#end.resolve({ ...end, finishReason, usage: this.#past });
          return;
        }
        yield { type: 'turn-ended' };
        request = { ...next, prompt: this.#prompt() };
      }
    } catch (error) {
      const failure = error instanceof Error ? error : new Error(String(error));
      if (!this.#signal.aborted) {
        this.#end.resolve({ outcome: 'failed', error: failure, usage: this.usageSoFar() });
        throw error;
      }
    } finally {
      this.#end.resolve({ outcome: 'aborted', usage: this.usageSoFar() });
    }
  }

  /** One turn of the model, with the calls that it makes. */
  async *#turn(request: GenerationRequest): AsyncGenerator<LoopEvent, GenerationEnd> {
    for (;;)
      try {
        return yield* this.#try(this.#loose.apply(request));
      } catch (error) {
        // The engine refuses a schema before its first event.
        if (!this.#loose.takes(error, request)) throw error;
      }
  }

  async *#try(request: GenerationRequest): AsyncGenerator<LoopEvent, GenerationEnd> {
    const generation = await this.#options.generate(request, this.#signal);
    this.#running = generation;
    try {
      let open: OpenCall | undefined;
      for await (const event of generation.events) {
        if (open !== undefined && event.type !== 'tool-arguments') {
          yield* this.#endCall(open);
          open = undefined;
        }
        if (event.type === 'tool-call') open = this.#begin(event.name);
        else if (event.type === 'tool-arguments' && open !== undefined) open.arguments += event.text;
        yield event;
      }
      const end = await generation.ended;
      if (open !== undefined && end.outcome === 'finished' && end.finishReason !== 'length')
        yield* this.#endCall(open);
      return end;
    } finally {
      const { usage } = await generation.ended;
      this.#past = add(this.#past, usage);
      this.#running = undefined;
    }
  }

  /** The call of a server's tool that begins; undefined where the client is to make it. */
  #begin(name: string): OpenCall | undefined {
    const tool = this.#options.tools.find((one) => one.name === name);
    if (tool?.called.kind === 'mcp') return { tool, called: tool.called, arguments: '' };
    this.#waits = true;
    return undefined;
  }

  async *#endCall({ tool, called, arguments: args }: OpenCall): AsyncGenerator<LoopEvent> {
    if (called.needsApproval) {
      this.#waits = true;
      yield { type: 'call-ended', outcome: { approvalId: this.#options.ask(called, args) } };
      return;
    }
    const call = { name: called.name, schema: this.#schemaOf(tool), arguments: args };
    yield* this.#made(this.#hasCallsLeft ? await this.#make(called, call) : failed(0, tooMany));
  }

  #schemaOf(tool: OfferedTool) {
    return this.#loose.has(tool) ? undefined : tool.parameters;
  }

  async *#makeApproved(approved: ApprovedCall): AsyncGenerator<LoopEvent> {
    const { request } = approved;
    const tool = this.#options.tools.find(
      ({ called }) =>
        called.kind === 'mcp' && called.label === request.server_label && called.name === request.name,
    );
    if (tool?.called.kind !== 'mcp') return;
    this.#options.use(approved);
    yield { type: 'approved-call', request };
    const call = { name: request.name, schema: this.#schemaOf(tool), arguments: request.arguments };
    yield* this.#made(await this.#make(tool.called, call));
  }

  /** Shows the end of a call, and keeps its pictures for the model. */
  async *#made({ fields, pictures }: EndedCall): AsyncGenerator<LoopEvent> {
    this.#calls++;
    yield { type: 'call-ended', outcome: { fields } };
    const id = this.#options.items().at(-1)?.id;
    if (id !== undefined && pictures.length > 0) this.#attachments.set(id, this.#options.attach(pictures));
  }

  async #make(called: ServerTool, call: WantedCall): Promise<EndedCall> {
    const startedAtMs = performance.now();
    const ended = await callServer(this.#options.find(called.label), call, this.#signal);
    const isDone = ended.fields.status === 'completed';
    this.#options.onCall(called, isDone, performance.now() - startedAtMs);
    return ended;
  }

  get #hasCallsLeft(): boolean {
    return this.#calls < Math.min(mostCalls, this.#options.maxCalls ?? mostCalls);
  }

  /** The request of the next turn without its prompt; undefined where no token is left for it. */
  #next(): GenerationRequest | undefined {
    const { tools, maxTokens, ...rest } = this.#options.request;
    const tokensLeft = maxTokens === undefined ? undefined : maxTokens - this.#past.completionTokens;
    if (tokensLeft !== undefined && tokensLeft <= 0) return undefined;
    // A model that has to call something would never answer, and one that can call no more has to.
    const next = tools !== undefined && this.#hasCallsLeft && { tools: { ...tools, required: false } };
    return { ...rest, maxTokens: tokensLeft, ...next };
  }

  #prompt(): GenerationRequest['prompt'] {
    const { prompt } = this.#options.request;
    const messages = prompt.kind === 'messages' ? prompt.messages : [];
    const added = this.#options.toMessages(this.#options.items(), this.#attachments);
    const [last, next] = [messages.at(-1), added[0]];
    // A call that was allowed belongs to the turn in which the model wanted it.
    if (last?.role !== 'assistant' || last.toolCalls !== undefined || next?.toolCalls === undefined)
      return { kind: 'messages', messages: [...messages, ...added] };
    const turn = { ...last, toolCalls: next.toolCalls };
    return { kind: 'messages', messages: [...messages.slice(0, -1), turn, ...added.slice(1)] };
  }
}

const tooMany = 'No more calls are made for this answer.';

function add(a: Usage, b: Usage): Usage {
  return {
    promptTokens: a.promptTokens + b.promptTokens,
    cachedTokens: a.cachedTokens + b.cachedTokens,
    completionTokens: a.completionTokens + b.completionTokens,
    reasoningTokens: a.reasoningTokens + b.reasoningTokens,
    source: b.source ?? a.source,
  };
}
