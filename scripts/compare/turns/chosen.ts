/** Turns that are read otherwise than by llama.cpp, and why that shall be so. */
export interface Choice {
  /** Part of the name of the template, and of the turn; '' stands for all. */
  readonly template: string;
  readonly input: string;
  readonly because: string;
}

const ended = 'Generation stops at the token that ends a turn, so no reader sees it.';
const goesOn =
  'A stream cannot wait for the end of the thought: a call of an offered tool ends it on every template, and the grammar then admits no more text.';
const fenced = 'The grammar begins with the document, so that no fence can be written around it.';
const quoted =
  'Where a schema takes a text, what stands without quotes is a text, also where it has digits only.';
const required = 'A call that is required admits no text, and the grammar lets none be written.';
const unknownTool = 'What is said to a tool that nobody offered is shown: nothing of an answer gets lost.';
const untold =
  'The thought with which the message begins is kept, for which llama.cpp has no place on this template.';
const instruct = 'The model thinks by no word of its template, and its cards call it one that does not.';

export const chosen: readonly Choice[] = [
  { template: 'ling-3.0', input: '<|role_end|>', because: ended },
  { template: 'command-r-plus', input: '<|END_OF_TURN_TOKEN|>', because: ended },
  { template: 'muse-glimmer', input: '<|eot|>', because: ended },
  { template: 'Ministral', input: ' and more[/THINK]', because: goesOn },
  { template: 'LFM2.5', input: ' hmm</think>', because: goesOn },
  { template: 'Reka', input: ' hmm\n</think>', because: goesOn },
  { template: 'Ministral', input: '```json', because: fenced },
  { template: 'Llama-3.1', input: '```json', because: fenced },
  { template: 'Qwen3-Coder', input: '<function=set_union>', because: quoted },
  { template: 'ling-3.0', input: '<tool_call>set_union', because: quoted },
  { template: 'Qwen3.5', input: 'Let me inspect the current directory.', because: required },
  { template: 'gpt-oss', input: ' to=container.exec', because: unknownTool },
  { template: 'gpt-oss', input: ' to=python', because: unknownTool },
  { template: 'Apertus', input: 'world!', because: untold },
  { template: 'Apriel-1.5', input: 'world!', because: untold },
  { template: 'moonshotai-Kimi-K2', input: "Hello, world!\nWhat's up?", because: instruct },
  { template: 'moonshotai-Kimi-K2', input: "world!\nWhat's up?", because: instruct },
  {
    template: 'Qwen3.5',
    input: '<think>\n\n</think>',
    because: 'A thought that is opened once more has no opening in its text.',
  },
  {
    template: 'Apriel-1.6',
    input: '[BEGIN FINAL RESPONSE]',
    because: 'The sentence with which the prompt opens the thought is a marker, no part of the thought.',
  },
  {
    template: 'ling-3.0',
    input: 'Hello, world!',
    because:
      'A message with a thought and no text goes on with the thought. Nothing says here that it is over.',
  },
  {
    template: 'MiniMax-M3',
    input: '<invoke name="union_args">',
    because:
      'An object in the form in which the template shows objects is one, where the schema takes a text or an object.',
  },
];
