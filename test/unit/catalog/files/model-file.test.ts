import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fc } from '../../../support/properties.ts';
import { afterAll, describe, expect, it } from 'vitest';
import { inspectModelFile, type Inspection } from '../../../../src/catalog/files/model-file.ts';
import { ggufFile, whisperFile } from '../../../support/models/model-files.ts';
import { sharedModel, sharedModelsDir } from '../../../support/models/shared-models.ts';

const directory = mkdtempSync(join(tmpdir(), 'hearth-model-file-'));
afterAll(() => rmSync(directory, { recursive: true }));

function inspect(bytes: Uint8Array): Inspection {
  const path = join(directory, 'file');
  writeFileSync(path, bytes);
  return inspectModelFile(path);
}

const number = (value: number) => ({ type: 'u32', value }) as const;
const text = (value: string) => ({ type: 'string', value }) as const;

describe('inspectModelFile', () => {
  it('tells chat models by having no sign of anything else', () => {
    const template = '{% if tools %}{{ tools }}{% endif %}<think>';
    expect(inspect(ggufFile({ template }))).toMatchObject({
      outcome: 'model',
      facts: { kind: 'chat', functionCalling: true, reasoning: true },
    });
  });

  it.each([
    ['an encoder architecture', ggufFile({ architecture: 'nomic-bert' })],
    ['a pooling type', ggufFile({ architecture: 'qwen3', metadata: { 'qwen3.pooling_type': number(3) } })],
  ])('tells embedding models by %s', (_how, bytes) => {
    expect(inspect(bytes)).toMatchObject({
      outcome: 'model',
      facts: { kind: 'embedding', reasoning: false },
    });
  });

  it('tells models that rank by how they pool', () => {
    const metadata = { 'bert.pooling_type': number(4) };
    expect(inspect(ggufFile({ architecture: 'bert', metadata }))).toMatchObject({
      outcome: 'model',
      facts: { kind: 'reranker' },
    });
  });

  it('tells whisper models by their content', () => {
    expect(inspect(whisperFile({ fileType: 2008 }))).toMatchObject({
      outcome: 'model',
      facts: { kind: 'speech', parameterCount: 48, quantization: 'Q5_0', trainContextTokens: 448 },
    });
  });

  it.each([
    ['a projector', ggufFile({ architecture: 'clip' }), /projector/],
    ['an adapter', ggufFile({ metadata: { 'general.type': text('adapter') } }), /type adapter/],
    ['a vocabulary', ggufFile({ tensors: 0 }), /no weights/],
    ['a diffusion model', ggufFile({ architecture: 'llada' }), /diffusion/],
    ['another ggml file', whisperFile({ vocabularySize: 32_000 }), /not a whisper model/],
    ['a whisper file with endless filters', whisperFile({ filterLength: 1000 }), /mel filters/],
    ['a whisper file that is cut short', whisperFile().subarray(0, -7), /too early/],
  ])('skips %s and says why', (_what, bytes, reason) => {
    expect(inspect(bytes)).toMatchObject({
      outcome: 'skipped',
      isOther: false,
      reason: expect.stringMatching(reason),
    });
  });

  it('does not speak of files that claim nothing', () => {
    expect(inspect(Buffer.from('a text'))).toMatchObject({ outcome: 'skipped', isOther: true });
    expect(inspect(Buffer.alloc(0))).toMatchObject({ outcome: 'skipped', isOther: true });
  });

  it('cleans the name of the owner', () => {
    const inspection = inspect(
      ggufFile({ metadata: { 'general.author': text(' A\n\u001b[31mB '.padEnd(300, 'x')) } }),
    );
    if (inspection.outcome !== 'model') throw new Error(inspection.outcome);
    expect(inspection.facts.madeBy).toMatch(/^A \[31mB x+$/);
    expect(inspection.facts.madeBy?.length).toBe(100);
  });

  it('answers for every damaged whisper file', () => {
    const whole = whisperFile();
    // Nothing is read of the filters, which are most of the file.
    const filtersEnd = 56 + 80 * 201 * 4;
    const head = fc.nat(60);
    fc.assert(
      fc.property(
        fc.oneof(head, fc.integer({ min: filtersEnd, max: whole.length - 8 })),
        fc.uint8Array({ minLength: 1, maxLength: 8 }),
        fc.oneof(head, fc.integer({ min: filtersEnd, max: whole.length })),
        (at, bytes, cut) => {
          const damaged = Buffer.from(whole);
          damaged.set(bytes, at);
          expect(['model', 'skipped']).toContain(inspect(damaged.subarray(0, cut)).outcome);
          expect(['model', 'skipped']).toContain(inspect(damaged).outcome);
        },
      ),
      { numRuns: 300 },
    );
  });

  it.skipIf(process.platform === 'win32')('does not wait for a named pipe', () => {
    const path = join(directory, 'pipe');
    execFileSync('mkfifo', [path]);
    expect(inspectModelFile(path).outcome).toBe('skipped');
  });
});

describe(`inspectModelFile on real models${sharedModelsDir === undefined ? ' (skipped: ../shared/models is absent)' : ''}`, () => {
  it.skipIf(sharedModelsDir === undefined).each([
    [
      'stories260K-chat-f16.gguf',
      { kind: 'chat', quantization: 'F16', trainContextTokens: 512, parameterCount: 292_800 },
    ],
    ['babyllama105-q8_0.gguf', { kind: 'chat', quantization: 'Q8_0', trainContextTokens: 256 }],
    ['hostile-aborts-on-load.gguf', { kind: 'chat' }],
    ['whisper-fox.bin', { kind: 'speech', parameterCount: 1_851_360, quantization: 'F16' }],
  ])('knows %s', (fileName, facts) => {
    expect(inspectModelFile(sharedModel(fileName) ?? '')).toMatchObject({ outcome: 'model', facts });
  });

  it.skipIf(sharedModelsDir === undefined).each([
    ['silero-vad-v6.2.0-ggml.bin', /not a whisper model/],
    ['vocab/ggml-vocab-qwen2.gguf', /no weights/],
  ])('skips %s', (fileName, reason) => {
    expect(inspectModelFile(sharedModel(fileName) ?? '')).toMatchObject({
      outcome: 'skipped',
      reason: expect.stringMatching(reason),
    });
  });
});
