import type { ShippedPart } from '../../../src/cli/about/shipped-parts.ts';
import { readJson, textsIn } from './licence-texts.ts';

const whisperSources = 'node_modules/nodejs-whisper/cpp/whisper.cpp';

/** hearth itself, its models, and parts that are compiled into packages of other names, which no lock file tells. */
export function embeddedParts(): ShippedPart[] {
  const { version } = readJson('package.json') as { version: string };
  const llama = readJson('node_modules/node-llama-cpp/llama/llama.cpp.info.json') as { tag: string };
  const whisper = readJson('node_modules/nodejs-whisper/package.json') as { version: string };
  const own = { version, licence: 'Apache-2.0', text: textsIn('.') };
  // llama.cpp, ggml and whisper.cpp have the same authors and the same text.
  const ggml = { licence: 'MIT', text: textsIn(whisperSources) };
  return [
    { name: 'hearth', within: 'hearth', ...own },
    { name: 'hearth-demo (model)', within: 'hearth', ...own },
    { name: 'hearth-demo-ears (model)', within: 'hearth', ...own },
    { name: 'llama.cpp', version: llama.tag, within: '@node-llama-cpp', ...ggml },
    { name: 'ggml', version: llama.tag, within: '@node-llama-cpp', ...ggml },
    { name: 'whisper.cpp', version: whisper.version, within: 'nodejs-whisper', ...ggml },
    { name: 'SQLite', version: '3', within: 'better-sqlite3', licence: 'blessing', text: null },
    {
      name: 'FFmpeg',
      version: (readJson('node_modules/@libav.js/variant-obsolete/package.json') as { version: string })
        .version,
      within: '@libav.js/variant-obsolete',
      licence: 'LGPL-2.1-or-later',
      text: null,
    },
    {
      name: 'PDFium',
      version: (readJson('node_modules/@hyzyla/pdfium/package.json') as { version: string }).version,
      within: '@hyzyla/pdfium',
      licence: 'Apache-2.0 AND BSD-3-Clause',
      text: null,
    },
    {
      name: 'image (Rust crate)',
      version: '0.24',
      within: '@silvia-odwyer/photon-node',
      licence: 'MIT OR Apache-2.0',
      text: null,
    },
  ];
}
