import {
  addUsage,
  nothingComputed,
  type FinishedGeneration,
  type Generation,
  type GenerationEnd,
  type Usage,
  type AnswerBlock,
  type BlockEvent,
} from '../../../engine/generation/generation.ts';
import type { AppError } from '../../../errors/errors.ts';
import type { Attachment, GenerationRequest } from '../../../engine/types.ts';
import type { McpServer } from '../../../mcp/mcp-server.ts';
import type { McpResult } from '../../../mcp/tool-result.ts';
import type { RunningGeneration } from '../../generation/serve-generation.ts';
import { createWireId } from '../../generation/wire/wire-id.ts';
import type { OfferedTool, ServerTool } from '../tools/offered-tools.ts';
import type { ApprovedCall } from './approvals.ts';
import {
  callServer,
  failed,
  type EndedCall,
  type CallOutcome,
  type LoopBlock,
  type LoopEvent,
  type MadeCall,
  type ServedCall,
} from './served-call.ts';
import { withTurns } from './call-messages.ts';
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
  readonly maxCalls: number | undefined;
  /** Those of `pictures` that the model can see. */
  readonly attach: (pictures: McpResult['pictures']) => readonly Attachment[];
  /** The schema of the tool cannot be held; `error` says why. */
  readonly onLoose: (tool: ServerTool, error: AppError) => void;
  readonly onCall: (tool: ServerTool, isDone: boolean, durationMs: number) => void;
}

type Running = RunningGeneration<LoopEvent, FinishedGeneration, { readonly blocks: readonly LoopBlock[] }>;

/**
 * An answer for which the model may call tools of servers: turn after turn, until one has no such call, a person is to
 * allow one, the client is to make one, or there were enough. Everything that all turns compute is its usage.
 */
export class ToolLoop implements Running {
  readonly events: AsyncIterable<LoopEvent>;
  /** The first turn is checked when its first event is asked for. */
  readonly accepted = Promise.resolve();
  readonly ended: Promise<GenerationEnd>;
  readonly #options: ToolLoopOptions;
  readonly #signal: AbortSignal;
  readonly #end = Promise.withResolvers<GenerationEnd>();
  readonly #loose: LooseSchemas;
  /** Of all turns. */
  readonly #blocks: LoopBlock[] = [];
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

  get answer(): Running['answer'] {
    return { blocks: this.#blocks };
  }

  usageSoFar(): Usage {
    return this.#running === undefined ? this.#past : addUsage(this.#past, this.#running.usageSoFar());
  }

  /** Ends an answer that nobody has begun to read. */
  #abort(): void {
    if (this.#running === undefined) this.#end.resolve({ outcome: 'aborted', usage: this.#past });
  }

  async *#run(): AsyncGenerator<LoopEvent> {
    try {
      let { request } = this.#options;
      for (const call of this.#options.approved) yield* this.#makeApproved(call);
      if (this.#options.approved.length > 0) request = withTurns(request, this.#blocks);
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
        request = next;
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
      for await (const event of generation.events)
        yield event.type === 'started' || event.type === 'progress' ? event : await this.#take(event);
      return await generation.ended;
    } finally {
      const { usage } = await generation.ended;
      this.#past = addUsage(this.#past, usage);
      this.#running = undefined;
    }
  }

  /** The event for the loop's block, which differs from the turn's where this server makes the call. */
  async #take(event: BlockEvent): Promise<LoopEvent> {
    if (event.type === 'open') return this.#open(this.#begin(event.block));
    const block = this.#blocks.at(-1) ?? event.block;
    if (block !== event.block) {
      block.text = event.block.text;
      block.isCutOff = event.block.isCutOff;
    }
    if (event.type === 'close' && isServed(block) && !block.isCutOff)
      block.served.outcome = await this.#endCall(block);
    return { ...event, block };
  }

  #open<Block extends LoopBlock>(block: Block): { readonly type: 'open'; readonly block: Block } {
    this.#blocks.push(block);
    return { type: 'open', block };
  }

  #begin(block: AnswerBlock): LoopBlock {
    if (block.type !== 'call') return block;
    const called = this.#options.tools.find(({ name }) => name === block.name)?.called;
    if (called?.kind === 'mcp')
      return { ...block, served: { id: createWireId('mcp'), tool: called, approvalId: null } };
    this.#waits = true;
    return block;
  }

  async #endCall(call: ServedCall): Promise<CallOutcome> {
    const { tool } = call.served;
    if (!tool.needsApproval)
      return this.#toOutcome(this.#hasCallsLeft ? await this.#make(call) : failed(0, tooMany));
    this.#waits = true;
    return { askedAs: this.#options.ask(tool, call.text) };
  }

  async *#makeApproved(approved: ApprovedCall): AsyncGenerator<LoopEvent> {
    const { server_label: label, name, arguments: text, id: approvalId } = approved.request;
    const offered = this.#options.tools.find(
      ({ called }) => called.kind === 'mcp' && called.label === label && called.name === name,
    );
    if (offered?.called.kind !== 'mcp') return;
    this.#options.use(approved);
    const served = { id: createWireId('mcp'), tool: offered.called, approvalId };
    const block: ServedCall = { type: 'call', name: offered.name, text, isCutOff: false, served };
    yield this.#open(block);
    yield { type: 'delta', block, text, logprobs: [] };
    block.served.outcome = this.#toOutcome(await this.#make(block));
    yield { type: 'close', block };
  }

  #toOutcome({ fields, pictures }: EndedCall): MadeCall {
    this.#calls++;
    return { fields, attachments: pictures.length > 0 ? this.#options.attach(pictures) : [] };
  }

  async #make({ name, text, served }: ServedCall): Promise<EndedCall> {
    const { tool } = served;
    const offered = this.#options.tools.find((one) => one.name === name);
    const schema = offered && !this.#loose.has(offered) ? offered.parameters : undefined;
    const call = { name: tool.name, schema, arguments: text };
    const startedAtMs = performance.now();
    const ended = await callServer(this.#options.find(tool.label), call, this.#signal);
    const isDone = ended.fields.status === 'completed';
    this.#options.onCall(tool, isDone, performance.now() - startedAtMs);
    return ended;
  }

  get #hasCallsLeft(): boolean {
    return this.#calls < Math.min(mostCalls, this.#options.maxCalls ?? mostCalls);
  }

  /** The request of the next turn; undefined where no token is left for it. */
  #next(): GenerationRequest | undefined {
    const { tools, maxTokens, ...rest } = this.#options.request;
    const tokensLeft = maxTokens === undefined ? undefined : maxTokens - this.#past.completionTokens;
    if (tokensLeft !== undefined && tokensLeft <= 0) return undefined;
    // After the first turn no call is required: the model would never answer. After the last call it gets no tools.
    const next = tools !== undefined && this.#hasCallsLeft && { tools: { ...tools, required: false } };
    return withTurns({ ...rest, maxTokens: tokensLeft, ...next }, this.#blocks);
  }
}

const isServed = (block: LoopBlock): block is ServedCall =>
  block.type === 'call' && 'served' in block && block.served !== undefined;

const tooMany = 'No more calls are made for this answer.';
