import { registerHooks } from 'node:module';

const testFile = '/node-llama-cpp/dist/bindings/utils/testBindingBinary.js';

/**
 * Has node-llama-cpp load its binary for the CPU without a trial of it in a further process, which takes half a second of
 * processor time at each start, and two seconds where the machine is busy. Here each model is tried in a process of its
 * own anyway. Binaries for GPUs are tried as before, because a driver may crash. To be called before node-llama-cpp is
 * imported; the library has no option for it, and where its file has another name everything is tried.
 */
export function skipBinaryTest(): void {
  const hooks = registerHooks({
    load(url, context, load) {
      if (!url.endsWith(testFile)) return load(url, context);
      hooks.deregister();
      const whole = JSON.stringify(`${url}?whole`);
      return {
        format: 'module',
        shortCircuit: true,
        source: `export const testBindingBinary = async (file, folder, gpu, ...rest) =>
          gpu === false || (await import(${whole})).testBindingBinary(file, folder, gpu, ...rest);`,
      };
    },
  });
}
