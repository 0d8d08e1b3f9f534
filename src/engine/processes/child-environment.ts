const withheld = /^(?:HEARTH_API_KEY|HF_TOKEN|NODE_OPTIONS|VITEST.*)$/;

/** The environment for a process that handles untrusted files: without secrets, and without settings for Node. */
export function childEnvironment(): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !withheld.test(name)));
}
