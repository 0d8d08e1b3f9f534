import { writeFileSync, readFileSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { errorCodeOf } from '../../words/describe-error.ts';
import { resolvePath } from '../../config/paths.ts';
import { nearestName } from '../../words/nearest-names.ts';
import { CliError } from '../../errors/operator-errors.ts';
import type { Conversation } from './conversation.ts';
import { openDocument } from './open-document.ts';
import type { Session } from './session.ts';
import { toWireMessage } from './wire-message.ts';
import { PictureError, pictureLimits } from '../../engine/pictures/header/picture-header.ts';
import { readPictureHeader } from '../../engine/pictures/header/read-header.ts';

/** The outcome of a command: text for the user, or the end of the chat. */
export type CommandOutcome = { readonly text: string } | 'leave';

interface ChatCommand {
  readonly usage: string;
  readonly help: string;
  /** `argument` is '' where there is none. */
  run(session: Session, argument: string): CommandOutcome | Promise<CommandOutcome>;
}

const commands: ReadonlyMap<string, ChatCommand> = new Map<string, ChatCommand>([
  ['help', { usage: '/help', help: 'shows this', run: () => ({ text: helpText() }) }],
  ['clear', { usage: '/clear', help: 'forgets what was said', run: clear }],
  ['model', { usage: '/model [ID]', help: 'lists the models, or takes another', run: useModel }],
  ['system', { usage: '/system [TEXT]', help: 'shows or sets instructions', run: setSystem }],
  ['image', { usage: '/image FILE', help: 'shows a picture with the next message', run: showPicture }],
  [
    'file',
    {
      usage: '/file FILE',
      help: 'has the next message begin with a document or picture',
      run: attachDocument,
    },
  ],
  ['save', { usage: '/save FILE', help: 'writes the chat, as JSON to *.json', run: save }],
  ['exit', { usage: '/exit', help: 'leaves', run: () => 'leave' }],
]);
const synonyms: ReadonlyMap<string, string> = new Map([
  ['?', 'help'],
  ['quit', 'exit'],
  ['bye', 'exit'],
]);

/** Whether a message is a command; a space in front makes it an ordinary message. */
export function isCommand(message: string): boolean {
  return message.startsWith('/') && !message.includes('\n');
}

/** Runs `/name argument`. Throws CliError, and errors of the session. */
export async function runCommand(message: string, session: Session): Promise<CommandOutcome> {
  const [name = ''] = message.slice(1).split(/\s/, 1);
  const command = commands.get(synonyms.get(name) ?? name);
  if (command === undefined) throw unknown(name);
  return await command.run(session, message.slice(1 + name.length).trim());
}

function unknown(name: string): CliError {
  const near = nearestName(name, [...commands.keys(), ...synonyms.keys()]);
  const suggestion = near === undefined ? 'see /help.' : `did you mean /${near}?`;
  return new CliError(
    `there is no command /${name.slice(0, 40)}`,
    `${suggestion} A message may begin with a slash after a space`,
  );
}

function helpText(): string {
  const width = Math.max(...[...commands.values()].map(({ usage }) => usage.length));
  const lines = [...commands.values()].map(({ usage, help }) => `${usage.padEnd(width)}  ${help}`);
  return [
    ...lines,
    '\\ at the end of a line goes on in the next one, and so does all between two """.',
    'Ctrl-C stops an answer, twice leaves; so does Ctrl-D.',
  ].join('\n');
}

function clear({ conversation }: Session): CommandOutcome {
  conversation.clear();
  return { text: 'what was said is forgotten' };
}

async function useModel(session: Session, id: string): Promise<CommandOutcome> {
  if (id !== '') {
    await session.use(id);
    return { text: `answers come from ${session.description} now` };
  }
  const models = await session.models();
  const lines = models.map((model) => `${model.id === session.model ? '*' : ' '} ${model.id}`);
  return { text: lines.join('\n') || 'there is no chat model any more' };
}

function setSystem({ conversation }: Session, text: string): CommandOutcome {
  if (text === '') return { text: conversation.system ?? 'there are no instructions' };
  // Quotes with nothing between them take the instructions back.
  conversation.system = text === '""' ? undefined : text;
  return {
    text:
      conversation.system === undefined
        ? 'no instructions from now on'
        : 'these instructions hold from now on',
  };
}

function showPicture({ conversation }: Session, name: string): CommandOutcome {
  if (name === '') throw new CliError('/image needs the name of a file');
  const { file, description } = openPicture(name);
  conversation.show({ kind: 'picture', offset: 0, file });
  return { text: `the next message shows it: ${description}` };
}

async function attachDocument(session: Session, name: string): Promise<CommandOutcome> {
  if (name === '') throw new CliError('/file needs the name of a file');
  if (isPicture(name)) return showPicture(session, name);
  const { text, pictures, description } = await openDocument(name);
  session.conversation.attach(text);
  for (const file of pictures) session.conversation.show({ kind: 'picture', offset: 0, file });
  return { text: `the next message begins with it: ${description}` };
}

/** Never over a file that is there; readable by its owner only. */
function save({ conversation, model }: Session, name: string): CommandOutcome {
  if (name === '') throw new CliError('/save needs the name of a file');
  const file = resolvePath(name, process.cwd(), homedir());
  const content = file.endsWith('.json')
    ? `${JSON.stringify({ model, messages: conversation.messages.map(toWireMessage) }, null, 2)}\n`
    : toDocument(conversation, model);
  try {
    writeFileSync(file, content, { flag: 'wx', mode: 0o600 });
  } catch (error) {
    const code = errorCodeOf(error);
    if (code === 'EEXIST') throw new CliError(`${file} is there already`, 'choose another name');
    throw new CliError(`${file} cannot be written (${String(code)})`);
  }
  return { text: `written to ${file}` };
}

function toDocument({ messages }: Conversation, model: string): string {
  const titles = { system: 'Instructions', user: 'You', assistant: model, tool: 'Tool' } as const;
  return messages
    .map(({ role, content, attachments = [] }) => {
      const pictures = attachments.map(() => '(a picture)\n\n').join('');
      return `## ${titles[role]}\n\n${pictures}${content.trim()}\n`;
    })
    .join('\n');
}

function isPicture(name: string): boolean {
  try {
    openPicture(name);
    return true;
  } catch {
    return false;
  }
}

/** The picture in the file `name`, and its type and size in words. Throws CliError. */
function openPicture(name: string): { readonly file: Uint8Array; readonly description: string } {
  const path = resolvePath(name, process.cwd(), homedir());
  try {
    // A file that is far too large is not read at all.
    if (statSync(path).size > pictureLimits.fileBytes)
      throw new PictureError(`The picture is larger than ${pictureLimits.fileBytes / 2 ** 20} MiB`);
    const file = readFileSync(path);
    const { format, widthPixels, heightPixels } = readPictureHeader(file);
    return { file, description: `${format}, ${widthPixels} × ${heightPixels} pixels` };
  } catch (error) {
    if (error instanceof PictureError) throw new CliError(`${path} is refused: ${error.message}`);
    throw new CliError(`${path} cannot be read (${errorCodeOf(error) ?? String(error)})`);
  }
}
