import { useState } from 'preact/hooks';
import { CopyButton } from '../ui/controls.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { chatModel } from '../state/models.ts';
import { t } from '../texts.ts';
import type { Conversation } from './conversations/conversation.ts';
import { toChatRequest } from './request.ts';

type Language = keyof typeof writers;

const baseUrl = () => new URL('v1', document.baseURI).href;

/** The request as a program would send it. The key is named, never shown. */
const writers = {
  curl: (body: object) =>
    `curl ${baseUrl()}/chat/completions \\\n  -H "Authorization: Bearer $HEARTH_API_KEY" \\\n` +
    `  -H 'Content-Type: application/json' \\\n  -d '${JSON.stringify(body, null, 2).replaceAll("'", String.raw`'\''`)}'`,
  python: (body: object) =>
    `import json\nimport os\nfrom openai import OpenAI\n\n` +
    `client = OpenAI(base_url="${baseUrl()}", api_key=os.environ["HEARTH_API_KEY"])\n` +
    `request = json.loads(r'''${JSON.stringify(body, null, 2).replaceAll("'", String.raw`\u0027`)}''')\n` +
    `for chunk in client.chat.completions.create(**request):\n` +
    `    if chunk.choices:\n        print(chunk.choices[0].delta.content or "", end="")`,
  typescript: (body: object) =>
    `import OpenAI from 'openai';\n\n` +
    `const client = new OpenAI({ baseURL: '${baseUrl()}', apiKey: process.env.HEARTH_API_KEY });\n` +
    `const stream = await client.chat.completions.create(${JSON.stringify(body, null, 2)});\n` +
    `for await (const { choices } of stream) process.stdout.write(choices[0]?.delta.content ?? '');`,
} as const;

export function CodeDialog({ conversation, onClose }: { conversation: Conversation; onClose: () => void }) {
  const [language, setLanguage] = useState<Language>('curl');
  const model = chatModel.value?.id ?? '<chat model>';
  const code = writers[language](toChatRequest(conversation, model));
  return (
    <Dialog title={t.code.title} onClose={onClose}>
      <div class="segmented" role="group">
        {(Object.keys(writers) as Language[]).map((name) => (
          <button key={name} type="button" aria-pressed={name === language} onClick={() => setLanguage(name)}>
            {t.code[name]}
          </button>
        ))}
        <span class="spacer" />
        <CopyButton text={code} />
      </div>
      <pre tabindex={0}>{code}</pre>
    </Dialog>
  );
}
