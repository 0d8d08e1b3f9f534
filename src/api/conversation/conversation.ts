import type { Attachment, ChatMessage, ToolCall } from '../../engine/types.ts';
import { invalid } from '../request/validate.ts';
import type { MessageContent } from './message-content.ts';

/** Far above real conversations: bounds the time to render and tokenise one request, as the byte limit does not. */
export const maxMessages = 4096;
export const maxContentParts = 1024;

/** One turn of the assistant: a thought, a text and calls, in this order. */
interface Turn {
  thought: string;
  readonly texts: string[];
  readonly calls: ToolCall[];
  readonly attachments: Attachment[];
}

/** A conversation in the engine's form: all that the assistant does in one turn becomes one message. */
export class Conversation {
  readonly #messages: ChatMessage[] = [];
  /** Whether the latest call with an id has a result. */
  readonly #answered = new Map<string, boolean>();
  #turn: Turn | undefined;

  get messages(): readonly ChatMessage[] {
    this.endTurn();
    return this.#messages;
  }

  /** Throws invalid_value for `path`, where `id` is none of `calls` made before, or of one that has a result. */
  expectOpen(id: string, path: readonly PropertyKey[], calls: string, takesMore = false): void {
    const isAnswered = this.#answered.get(id);
    if (isAnswered === undefined) throw invalid(path, `must be the id of ${calls}`);
    if (isAnswered && !takesMore)
      throw invalid(path, 'is the id of a call that has a result already. Send one for each call');
  }

  /** Whether the assistant made the call in the turn that goes on. */
  isCalling(id: string): boolean {
    return this.#turn?.calls.some((call) => call.id === id) === true;
  }

  add(role: 'system' | 'user', content: MessageContent): void {
    this.endTurn();
    this.#messages.push({ role, ...content.fields() });
  }

  addResult(callId: string, content: MessageContent): void {
    this.endTurn();
    this.#answered.set(callId, true);
    this.#messages.push({ role: 'tool', ...content.fields(), toolCallId: callId.toWellFormed() });
  }

  /** The assistant thinks, which begins a turn unless all before was thought. */
  think(thought: string): void {
    if (this.#turn !== undefined && this.#turn.texts.length + this.#turn.calls.length > 0) this.endTurn();
    this.#openTurn().thought += thought.toWellFormed();
  }

  /** The assistant says something, which begins a turn where it has said something and not called since. */
  say(text: string, attachments: readonly Attachment[] = []): void {
    if (this.#turn !== undefined && this.#turn.texts.length > 0 && this.#turn.calls.length === 0)
      this.endTurn();
    const turn = this.#openTurn();
    turn.texts.push(text.toWellFormed());
    turn.attachments.push(...attachments);
  }

  /** The assistant calls a function. `text` is its arguments, for which some clients send '' if there are none. */
  call(id: string, name: string, text: string): void {
    this.#answered.set(id, false);
    const [wellFormed, args] = [id.toWellFormed(), text.trim() === '' ? '{}' : text.toWellFormed()];
    this.#openTurn().calls.push({ id: wellFormed, name: name.toWellFormed(), arguments: args });
  }

  endTurn(): void {
    if (this.#turn === undefined) return;
    const { thought, texts, calls, attachments } = this.#turn;
    this.#turn = undefined;
    this.#messages.push({
      role: 'assistant',
      content: texts.join('\n'),
      ...(calls.length > 0 && { toolCalls: calls }),
      ...(thought !== '' && { reasoning: thought }),
      ...(attachments.length > 0 && { attachments }),
    });
  }

  #openTurn(): Turn {
    this.#turn ??= { thought: '', texts: [], calls: [], attachments: [] };
    return this.#turn;
  }
}

export const joinTexts = (texts: readonly string[]): string => texts.join('\n').toWellFormed();
