import { useState } from 'preact/hooks';
import { CopyButton } from '../../ui/controls.tsx';
import { optionsOf, Segments } from '../../ui/forms/fields.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { chatModel } from '../../state/models.ts';
import { t } from '../../words/dialog-texts.ts';
import {
  append,
  branchOf,
  newId,
  type AttachedFile,
  type Conversation,
} from '../conversations/conversation.ts';
import { toChatRequest } from '../answers/request.ts';
import { unsentText } from '../new-chat.ts';

export function CodeDialog({ conversation, onClose }: { conversation: Conversation; onClose: () => void }) {
  const [language, setLanguage] = useState<Language>('curl');
  const code = toCode(language, conversation, chatModel.value?.id ?? '<chat model>');
  return (
    <Dialog title={t.code.title} onClose={onClose}>
      <div class="segmented">
        <Segments value={language} onChange={setLanguage} options={optionsOf(t.code.languages)} />
        <span class="spacer" />
        <CopyButton text={code} />
      </div>
      <pre tabindex={0}>{code}</pre>
    </Dialog>
  );
}

type Language = keyof typeof writers;

/** A file's content stands in the request as this, which is no base64, until a language says how it is read. */
const markOf = (fileName: string) => `@base64 of ${fileName}@`;

/**
 * The request with the text that is being written, or else with the last question of `whole`, as a program would send it.
 * The key is named, never shown.
 */
function toCode(language: Language, whole: Conversation, model: string): string {
  const last = branchOf(whole).findLast(({ role }) => role !== 'assistant');
  const text = unsentText(whole.id).trim() || (last === undefined ? t.code.question : '');
  const conversation =
    text === ''
      ? { ...whole, leafId: last?.id ?? whole.leafId }
      : append(whole, { id: newId(), parentId: whole.leafId, role: 'user', content: text });
  const fileNames = nameFiles(conversation);
  const body = toChatRequest(conversation, model, ({ fileId }) => markOf(fileNames.get(fileId) ?? fileId));
  return writers[language](JSON.stringify(body, null, 2), [...fileNames.values()]);
}

const baseUrl = () => new URL('v1', document.baseURI).href;

const writers = {
  curl: (body: string, fileNames: readonly string[]) =>
    `curl ${baseUrl()}/chat/completions \\\n  -H "Authorization: Bearer $HEARTH_API_KEY" \\\n` +
    `  -H 'Content-Type: application/json' \\\n` +
    (fileNames.length === 0
      ? `  -d '${body.replaceAll("'", String.raw`'\''`)}'`
      : `  -d @- <<END\n${toHereDocument(body, fileNames)}\nEND`),
  python: (body: string, fileNames: readonly string[]) =>
    `${fileNames.length === 0 ? '' : 'import base64\n'}import json\nimport os\nfrom openai import OpenAI\n\n` +
    `client = OpenAI(base_url="${baseUrl()}", api_key=os.environ["HEARTH_API_KEY"])\n` +
    `body = r'''${body.replaceAll("'", String.raw`\u0027`)}'''\n` +
    fileNames
      .map(
        (name) =>
          `with open("${name}", "rb") as file:\n` +
          `    body = body.replace("${markOf(name)}", base64.b64encode(file.read()).decode())\n`,
      )
      .join('') +
    `for chunk in client.chat.completions.create(**json.loads(body)):\n` +
    `    if chunk.choices:\n        print(chunk.choices[0].delta.content or "", end="")`,
  typescript: (body: string, fileNames: readonly string[]) =>
    `${fileNames.length === 0 ? '' : "import { readFileSync } from 'node:fs';\n"}import OpenAI from 'openai';\n\n` +
    `const client = new OpenAI({ baseURL: '${baseUrl()}', apiKey: process.env.HEARTH_API_KEY });\n` +
    `const stream = await client.chat.completions.create(${withReads(body, fileNames)});\n` +
    `for await (const { choices } of stream) process.stdout.write(choices[0]?.delta.content ?? '');`,
} as const;

/** In a document that the shell reads, its own signs are escaped; what the files hold is put in by the shell. */
const toHereDocument = (body: string, fileNames: readonly string[]) =>
  fileNames.reduce(
    (text, name) => text.replaceAll(markOf(name), `$(base64 < ${name} | tr -d '\\n')`),
    body.replaceAll(/[\\$`]/g, String.raw`\$&`),
  );

/** The JSON as TypeScript, in which a string with a file in it is a template. */
const withReads = (body: string, fileNames: readonly string[]) =>
  fileNames.reduce(
    (text, name) =>
      text
        .split(`${markOf(name)}"`)
        .join(`\${readFileSync('${name}', 'base64')}\``)
        .replaceAll(/"(?=(?:data:[\w/+.-]+;base64,)?\$\{readFileSync\()/g, '`'),
    body,
  );

/** A name for each file of the shown branch that no shell and no language reads as anything else. */
function nameFiles(conversation: Conversation): Map<string, string> {
  const names = new Map<string, string>();
  const files = branchOf(conversation)
    .flatMap(({ attachments = [] }) => attachments)
    .filter((attachment): attachment is AttachedFile => attachment.kind !== 'text');
  for (const { fileId, name } of files) {
    const safe = name.replaceAll(/[^\w.-]/g, '_').replace(/^-/, '_');
    const isTaken = [...names.values()].includes(safe);
    if (!names.has(fileId)) names.set(fileId, isTaken ? `${names.size + 1}-${safe}` : safe);
  }
  return names;
}
