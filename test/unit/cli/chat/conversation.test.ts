import { describe, expect, it } from 'vitest';
import type { AnswerEvent, ChatBackend, ChatQuestion } from '../../../../src/cli/chat/backends/backend.ts';
import { Conversation } from '../../../../src/cli/chat/conversation.ts';
import { AppError } from '../../../../src/errors/errors.ts';

const finished: AnswerEvent = { type: 'end', finishReason: 'stop' };
const says = (text: string): AnswerEvent => ({ type: 'text', text });

type Behaviour = (question: ChatQuestion, signal: AbortSignal) => Iterable<AnswerEvent>;

/** A conversation with a backend that behaves so, and its notes. */
function open(behave: Behaviour, system?: string) {
  const asked: ChatQuestion[] = [];
  const notes: string[] = [];
  const stopping = new AbortController();
  const backend: ChatBackend = {
    place: undefined,
    models: async () => [],
    async *answer(question, signal) {
      asked.push(question);
      yield* behave(question, signal);
    },
    close: async () => undefined,
  };
  const conversation = new Conversation(system);
  const listener = {
    waiting: () => undefined,
    thought: () => undefined,
    text: () => undefined,
    note: (text: string) => void notes.push(text),
  };
  const ask = (question: string) =>
    conversation.ask(question, { backend, model: 'm', temperature: 0, signal: stopping.signal }, listener);
  return { conversation, asked, notes, ask, stop: () => stopping.abort() };
}

const questionsIn = ({ messages }: ChatQuestion) =>
  messages.filter(({ role }) => role === 'user').map(({ content }) => content);

/** Takes this number of questions at most. */
const holds = (most: number): Behaviour =>
  function* (question) {
    if (questionsIn(question).length > most) throw new AppError('context_length_exceeded', 'Too long.');
    yield says('yes');
    yield finished;
  };

describe('a conversation', () => {
  it('sends what was said before, and instructions first', async () => {
    const { ask, asked } = open(holds(9), 'Be brief.');
    await ask('one');
    await ask('two');
    expect(asked[1]?.messages).toEqual([
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: 'one' },
      { role: 'assistant', content: 'yes' },
      { role: 'user', content: 'two' },
    ]);
  });

  it('shows a picture before the next question, and keeps it with its turn', async () => {
    const { ask, asked, conversation } = open(holds(9));
    const picture = { kind: 'picture', offset: 0, file: new Uint8Array(1) } as const;
    conversation.show(picture);
    await ask('What is it?');
    await ask('And now?');
    expect(asked.map(({ messages }) => messages.map(({ attachments }) => attachments))).toEqual([
      [[picture]],
      [[picture], undefined, undefined],
    ]);
  });

  it('forgets a picture with a question that got no answer', async () => {
    const { ask, asked, conversation } = open(holds(0));
    conversation.show({ kind: 'picture', offset: 0, file: new Uint8Array(1) });
    await expect(ask('What is it?')).rejects.toThrow('Too long');
    await expect(ask('Anything?')).rejects.toThrow('Too long');
    expect(asked.at(-1)?.messages.at(-1)?.attachments).toBeUndefined();
  });

  it('forgets its oldest turns where it is too long, and says how many', async () => {
    const { ask, asked, notes, conversation } = open(holds(2));
    for (const question of ['one', 'two', 'three']) await ask(question);
    expect(asked.map(questionsIn).at(-1)).toEqual(['two', 'three']);
    expect(notes).toEqual(['the conversation is too long for the model: forgot its oldest turn']);
    expect(conversation.turns.map(({ question }) => question)).toEqual(['two', 'three']);
  });

  it('keeps all of it where the last message alone is too long', async () => {
    const { ask, notes, conversation } = open(function* (question) {
      if (questionsIn(question).includes('huge')) throw new AppError('context_length_exceeded', 'Too long.');
      yield says('yes');
      yield finished;
    });
    await ask('one');
    await ask('two');
    await expect(ask('huge')).rejects.toThrow('Too long.');
    expect(conversation.turns.map(({ question }) => question)).toEqual(['one', 'two']);
    expect(notes).toEqual([]);
  });

  it('makes room after an answer that filled the context', async () => {
    const { ask, notes, conversation } = open(function* () {
      yield says('cut');
      yield { type: 'end', finishReason: 'length' };
    });
    await ask('one');
    expect(notes[0]).toContain('/clear begins anew');
    await ask('two');
    expect(notes[1]).toContain('forgot its oldest turn');
    expect(conversation.turns).toEqual([{ question: 'two', answer: 'cut' }]);
  });

  it('waits for a model that is being loaded', async () => {
    let tries = 0;
    const { ask, conversation } = open(function* () {
      tries += 1;
      if (tries === 1) throw new AppError('model_loading', 'Loading.', { retryAfterSeconds: 0.01 });
      yield says('yes');
      yield finished;
    });
    await ask('one');
    expect(conversation.turns).toHaveLength(1);
  });

  it('forgets a question that failed without an answer, and keeps what came of others', async () => {
    const { ask, conversation } = open(function* (question) {
      if (questionsIn(question).at(-1) === 'half') yield says('It beg');
      throw new AppError('engine_error', 'It broke.');
    });
    await expect(ask('none')).rejects.toThrow('It broke.');
    await expect(ask('half')).rejects.toThrow('It broke.');
    expect(conversation.turns).toEqual([{ question: 'half', answer: 'It beg' }]);
  });

  it('ends without an error when it is stopped, also while a model is being loaded', async () => {
    const stopped = open(function* () {
      yield says('It beg');
      stopped.stop();
      throw new Error('aborted');
    });
    await stopped.ask('one');
    expect(stopped.conversation.turns).toEqual([{ question: 'one', answer: 'It beg' }]);
    const waiting = open(() => {
      setImmediate(waiting.stop);
      throw new AppError('model_loading', 'Loading.', { retryAfterSeconds: 60 });
    });
    await waiting.ask('one');
    expect(waiting.conversation.turns).toEqual([]);
  });
});
