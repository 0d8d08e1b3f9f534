import { GgmlType, readGgufFileInfo } from 'node-llama-cpp';
import { expect, it } from 'vitest';
import { unreadBytes } from '../../../../../src/engine/llama/loading/needs/read-bytes.ts';
import { tinyModel } from '../../../../support/models/tiny-model.ts';

it.each(['llama', 'granitemoe', 'gpt-oss'] as const)(
  'knows what a token of a %s leaves alone',
  async (architecture) => {
    const info = await readGgufFileInfo(await tinyModel({ architecture, layers: 3 }));
    const { expert_count: all = 1, expert_used_count: asked = 1 } = info.architectureMetadata;
    const tensors = info.fullTensorInfo ?? [];
    const bytesOf = (pattern: RegExp) =>
      tensors
        .filter(({ name }) => pattern.test(name))
        .map(({ dimensions, ggmlType }) =>
          dimensions.map(Number).reduce((product, size) => product * size, ggmlType === GgmlType.F32 ? 4 : 2),
        )
        .reduce((sum, bytes) => sum + bytes, 0);
    const hasOutput = tensors.some(({ name }) => name === 'output.weight');
    const experts = bytesOf(/_exps\.(weight|bias)/) * (1 - asked / all);
    expect(experts > 0).toBe(architecture !== 'llama');
    const expected = experts + (hasOutput ? bytesOf(/^token_embd/) : 0);
    // Between tensors there may be some bytes, and the last one is left out.
    expect(Math.abs(unreadBytes(info) - expected)).toBeLessThanOrEqual(0.02 * bytesOf(/./));
  },
);
