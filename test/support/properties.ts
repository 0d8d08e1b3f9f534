// oxlint-disable-next-line no-restricted-imports -- All others get it from here.
import * as fc from 'fast-check';

/**
 * fast-check, whose properties are tried with the same values each time, so that no change fails by chance. Other values
 * come with HEARTH_TEST_SEED, as `scripts/fuzz/properties.ts` has it.
 */
fc.configureGlobal({ seed: Number(process.env['HEARTH_TEST_SEED'] ?? 1) });

export { fc };
