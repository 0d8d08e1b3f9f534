/**
 * Records the answers of llama.cpp's server to questions about pictures, with tiny models of several families, for the
 * test that compares hearth's answers with them:
 *
 *   node scripts/compare/pictures.ts LLAMA-SERVER [OUTPUT]
 *
 * Each question is asked twice, so that the second answer comes from a cache.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import {
  answerTokens,
  pictureFile,
  pictureQuestions,
  seeingFamilies,
  type PictureQuestion,
} from './pictures/families.ts';
import { writeTinyModel } from '../make/tiny-model/write-tiny-model.ts';
import { writeTinyProjector } from '../make/tiny-model/write-tiny-projector.ts';

const [program, output = 'test/support/pictures/picture-answers.json'] = process.argv.slice(2);
if (program === undefined) throw new Error('Name the program of llama-server');
const folder = await mkdtemp(path.join(tmpdir(), 'compare-pictures-'));

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  return port;
}

function partsOf({ texts, pictures }: PictureQuestion): unknown[] {
  return texts.flatMap((text, index) => {
    const number = pictures[index];
    const url = number !== undefined && `data:image/bmp;base64,${pictureFile(number).toString('base64')}`;
    return [{ type: 'text', text }, ...(url ? [{ type: 'image_url', image_url: { url } }] : [])];
  });
}

async function ask(base: string, question: PictureQuestion) {
  const response = await fetch(`${base}/v1/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      messages: [{ role: 'user', content: partsOf(question) }],
      temperature: 0,
      max_tokens: answerTokens,
    }),
  });
  const answer = (await response.json()) as {
    readonly usage: { readonly prompt_tokens: number };
    readonly choices: readonly [{ readonly message: { readonly content: string } }];
  };
  if (!response.ok) throw new Error(JSON.stringify(answer));
  return { promptTokens: answer.usage.prompt_tokens, text: answer.choices[0].message.content };
}

async function answersOf(modelFile: string, projectorFile: string) {
  const port = await freePort();
  const options = ['-t', '1', '-c', '4096', '-np', '1', '--jinja', '--port', String(port)];
  const server = spawn(program ?? '', ['-m', modelFile, '--mmproj', projectorFile, ...options], {
    stdio: 'ignore',
  });
  const base = `http://127.0.0.1:${port}`;
  try {
    while (
      !(await fetch(`${base}/health`).then(
        ({ ok }) => ok,
        () => false,
      ))
    )
      await pause(100);
    const answers: Record<string, Awaited<ReturnType<typeof ask>>> = {};
    for (const question of pictureQuestions) {
      answers[question.name] = await ask(base, question);
      const again = await ask(base, question);
      if (JSON.stringify(again) !== JSON.stringify(answers[question.name]))
        console.log(`${question.name}: llama-server's second answer differs`);
    }
    return answers;
  } finally {
    server.kill();
    await once(server, 'exit');
  }
}

const recorded: Record<string, unknown> = {};
for (const [family, { model, projector }] of Object.entries(seeingFamilies)) {
  const [modelFile, projectorFile] = [path.join(folder, 'model.gguf'), path.join(folder, 'mmproj.gguf')];
  await writeTinyModel(modelFile, model);
  await writeTinyProjector(projectorFile, projector);
  recorded[family] = await answersOf(modelFile, projectorFile);
}
await writeFile(output, `${JSON.stringify(recorded, null, 2)}\n`);
await rm(folder, { recursive: true });
