import { useState } from 'preact/hooks';
import { CopyButton } from '../../ui/controls.tsx';
import { optionsOf, Segments } from '../../ui/forms/fields.tsx';
import { Dialog } from '../../ui/overlays/dialog.tsx';
import { chatModel } from '../../state/models.ts';
import { t } from '../../words/dialog-texts.ts';
import {
  append,
  branchOf,
  newId,
  type AttachedFile,
  type Conversation,
} from '../conversations/conversation.ts';
import { unsentFiles } from '../composer/attachments/unsent-files.ts';
import { toChatRequest } from '../answers/request.ts';
import { toServersRequest } from '../answers/servers-request.ts';
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
 * The request with the message that is being written, or else with the last question of `whole`, as a program would send
 * it. The key is named, never shown.
 */
function toCode(language: Language, whole: Conversation, model: string): string {
  const last = branchOf(whole).findLast(({ role }) => role !== 'assistant');
  const attachments = unsentFiles(whole.id);
  const isUnsent = attachments.length > 0 || last === undefined;
  const text = unsentText(whole.id).trim() || (isUnsent ? t.code.question : '');
  const conversation =
    text === ''
      ? { ...whole, leafId: last?.id ?? whole.leafId }
      : append(whole, {
          id: newId(),
          parentId: whole.leafId,
          role: 'user',
          content: text,
          ...(attachments.length > 0 && { attachments }),
        });
  const fileNames = nameFiles(conversation);
  const [body, way] = toBody(conversation, model, ({ fileId }) => markOf(fileNames.get(fileId) ?? fileId));
  return writers[language](JSON.stringify(body, null, 2), [...fileNames.values()], way);
}

/** As the page asks: servers of tools are asked by responses, unless there is a recording, which these do not have. */
function toBody(
  conversation: Conversation,
  model: string,
  base64Of: Parameters<typeof toChatRequest>[2],
): [body: object, way: Way] {
  if (conversation.settings.servers !== undefined)
    try {
      // The progress is hearth's own, and other programs do not know it.
      const { return_progress: _, ...body } = toServersRequest(conversation, model, base64Of);
      return [body, ways.responses];
    } catch {
      // It is a chat completion then.
    }
  return [toChatRequest(conversation, model, base64Of), ways.chat];
}

/** How an API is asked, and its stream is read. */
const ways = {
  chat: {
    path: 'chat/completions',
    create: 'chat.completions.create',
    asked: 'messages',
    python: `chunk in stream:\n    if chunk.choices:\n        print(chunk.choices[0].delta.content or "", end="")`,
    typescript: `(const { choices } of stream) process.stdout.write(choices[0]?.delta.content ?? '');`,
  },
  responses: {
    path: 'responses',
    create: 'responses.create',
    asked: 'input',
    python: `event in stream:\n    if event.type == "response.output_text.delta":\n        print(event.delta, end="")`,
    typescript: `(const event of stream)\n  if (event.type === 'response.output_text.delta') process.stdout.write(event.delta);`,
  },
} as const;
type Way = (typeof ways)[keyof typeof ways];

const baseUrl = () => new URL('v1', document.baseURI).href;

const writers = {
  curl: (body: string, fileNames: readonly string[], { path }: Way) =>
    `curl ${baseUrl()}/${path} \\\n  -H "Authorization: Bearer $HEARTH_API_KEY" \\\n` +
    `  -H 'Content-Type: application/json' \\\n` +
    (fileNames.length === 0
      ? `  -d '${body.replaceAll("'", String.raw`'\''`)}'`
      : `  -d @- <<END\n${toHereDocument(body, fileNames)}\nEND`),
  // Python's client takes parameters that OpenAI does not have within its extra body only.
  python: (body: string, fileNames: readonly string[], { create, asked, python }: Way) =>
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
    `body = json.loads(body)\n` +
    `stream = client.${create}(\n` +
    `    model=body["model"], ${asked}=body["${asked}"], stream=True, extra_body=body\n)\n` +
    `for ${python}`,
  typescript: (body: string, fileNames: readonly string[], { create, typescript }: Way) =>
    `${fileNames.length === 0 ? '' : "import { readFileSync } from 'node:fs';\n"}import OpenAI from 'openai';\n\n` +
    `const client = new OpenAI({ baseURL: '${baseUrl()}', apiKey: process.env.HEARTH_API_KEY });\n` +
    `const stream = await client.${create}(${withReads(body, fileNames)});\n` +
    `for await ${typescript}`,
} as const;

/** In a document that the shell reads, its own signs are escaped; the shell puts in the content of files. */
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
