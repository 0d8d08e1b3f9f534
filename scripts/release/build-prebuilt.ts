import { existsSync } from 'node:fs';
import { packageDir, prebuiltAddonFile } from '../../src/engine/addons/addon.ts';
import { compileAddon, type AddonBuild } from '../../src/engine/addons/build-addon.ts';
import { packedAddonFile } from '../../src/engine/addons/packed-addon.ts';
import { processorLevels, type ProcessorLevel } from '../../src/engine/addons/processor-levels.ts';
import { mtmdBuild, stepperBuild } from '../../src/engine/llama/native/builds/stepper-build.ts';
import { whisperBuild } from '../../src/engine/whisper/addon/whisper-build.ts';
import { checkNeeds } from './check-needs.ts';

/** Debian's compilers for Linux with glibc, by architecture as Node.js names it: g++ and g++-aarch64-linux-gnu. */
const targets = {
  x64: { processor: 'x86_64', tools: 'x86_64-linux-gnu-' },
  arm64: { processor: 'aarch64', tools: 'aarch64-linux-gnu-' },
} as const;

/** The levels of the addons in a clone that are built for each level: most machines of the last ten years, and all. */
const packedLevels = new Set(['x86-64-v3', 'x86-64', 'armv8-a']);

/** Addons that are faster on a better processor are built for each level, others for the last one only. */
const builds: readonly { readonly build: AddonBuild; readonly everyLevel: boolean }[] = [
  { build: whisperBuild({}), everyLevel: true },
  { build: mtmdBuild(), everyLevel: false },
  { build: stepperBuild(), everyLevel: true },
];

/** One file of a release's addons. */
export interface Prebuilt {
  readonly build: AddonBuild;
  readonly arch: keyof typeof targets;
  readonly level: ProcessorLevel;
  readonly file: string;
  /** Where a clone has it, compressed; undefined: clones do without it. */
  readonly packed: string | undefined;
}

/** All that a release brings. */
export function prebuiltAddons(): Prebuilt[] {
  return (['arm64', 'x64'] as const).flatMap((arch) =>
    builds.flatMap(({ build, everyLevel }) =>
      (processorLevels[arch] ?? [])
        .filter(({ words }) => everyLevel || words.length === 0)
        .map((level) => ({
          build,
          arch,
          level,
          file: prebuiltAddonFile(build.addon, arch, level.name),
          packed:
            everyLevel && !packedLevels.has(level.name)
              ? undefined
              : packedAddonFile(build.addon, arch, level.name),
        })),
    ),
  );
}

/** Compiles one of a release's addons, unless it is there. Throws BuildError. */
export function buildPrebuilt({ build, arch, level, file }: Prebuilt): void {
  if (existsSync(file)) return;
  const { processor, tools } = targets[arch];
  compileAddon(build, file, {
    settings: settingsFor(processor, tools, level),
    check: (made) => checkNeeds(`${tools}objdump`, made),
  });
}

function settingsFor(processor: string, tools: string, { options }: ProcessorLevel): string[] {
  // Assertions name their files: without the folders of the machine that compiled them.
  const flags = `${options} -ffile-prefix-map=${packageDir}=`;
  return [
    // With a system that is named, cmake takes every build for one that is made for another machine.
    '-DCMAKE_SYSTEM_NAME=Linux',
    `-DCMAKE_SYSTEM_PROCESSOR=${processor}`,
    `-DCMAKE_C_COMPILER=${tools}gcc`,
    `-DCMAKE_CXX_COMPILER=${tools}g++`,
    `-DCMAKE_C_FLAGS=${flags}`,
    `-DCMAKE_CXX_FLAGS=${flags}`,
    '-DCMAKE_MODULE_LINKER_FLAGS=-s',
  ];
}
