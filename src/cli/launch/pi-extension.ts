/** The part of pi's interface that this extension uses. */
interface Pi {
  registerProvider(name: string, provider: object): void;
}

/** The variable with the model that pi is to ask, as JSON. */
export const piModelVariable = 'HEARTH_PI_MODEL';

/** An extension of the agent pi, which runs it in its own process: a provider whose only model is the launched one. */
// oxlint-disable-next-line import/no-default-export -- pi looks for the default
export default function addHearth(pi: Pi): void {
  const { HEARTH_API_KEY: apiKey, [piModelVariable]: text = '{}' } = process.env;
  const { baseUrl, ...model } = JSON.parse(text) as Record<string, unknown>;
  const free = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 };
  const models = [
    { ...model, reasoning: false, input: ['text'], cost: free, compat: { supportsStore: false } },
  ];
  pi.registerProvider('hearth', { baseUrl, apiKey, api: 'openai-completions', models });
}
