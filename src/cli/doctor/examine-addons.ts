import {
  addonOrigin,
  addonRemedy,
  doesNotLoad,
  findAddon,
  notBuilt,
  type Addon,
} from '../../engine/addons/addon.ts';
import { addonTrouble } from '../../engine/addons/addon-trouble.ts';
import { mtmdAddon, stepperAddon } from '../../engine/llama/native/builds/stepper-addon.ts';
import { whisperAddon } from '../../engine/whisper/addon/addon-file.ts';
import type { Finding } from './finding.ts';

/** The fault of an addon; undefined: there is one for this machine, and it loads. */
export function addonFault(addon: Addon): string | undefined {
  const file = findAddon(addon);
  if (file === undefined) return notBuilt;
  const trouble = addonTrouble(addon, file);
  return trouble === undefined ? undefined : doesNotLoad(trouble);
}

/** Whether the addons are there that the release brings or the installation compiles. */
export function addonsFinding(): Finding {
  const addons = {
    'the speech engine': whisperAddon,
    'the stepper, which makes chat faster': stepperAddon,
    'what reads pictures and sound for chat': mtmdAddon,
  };
  const faults = Object.entries(addons).flatMap(([what, addon]) => {
    const fault = addonFault(addon);
    return fault === undefined ? [] : `${what}: ${fault}`;
  });
  const subject = 'addons';
  if (faults.length === 0) {
    const origins = new Set(Object.values(addons).map((addon) => addonOrigin(findAddon(addon) ?? '')));
    return { subject, ok: true, finding: `for speech and chat, ${[...origins].join(' and ')}` };
  }
  return { subject, ok: false, finding: faults.join('; '), remedy: addonRemedy() };
}
