import { createHash } from 'node:crypto';
import type { BatchLine } from './batch-lines.ts';

/** Equal characters at the beginning of prompts that make lines neighbours, in the first groups and in those within. */
const borders = [128, 512, 2048, 8192, 32_768];

/**
 * A text that sorts requests with equal beginnings of their prompts together: the longer the common beginning, the
 * nearer. It holds hashes of the prompt up to each border, so it says nothing of the prompt itself.
 */
export function lineBeginning({ body }: Pick<BatchLine, 'body'>): string {
  const { tools, system, instructions } = body;
  const prompt = body['messages'] ?? body['input'] ?? body['prompt'];
  const text = JSON.stringify([tools, system, instructions, prompt]);
  return borders
    .map((border) => createHash('sha256').update(text.slice(0, border)).digest('hex').slice(0, 8))
    .join('');
}
