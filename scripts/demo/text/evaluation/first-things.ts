import { readFileSync } from 'node:fs';

export const firstThingSets = ['developer', 'child', 'fair'] as const;

/** One of the first things that people type, and the rule for its answer: see first-things/README.md. */
export interface FirstThing {
  readonly set: (typeof firstThingSets)[number];
  readonly system?: string;
  /** Names of the tools that are offered. */
  readonly tools: readonly string[];
  /** The user's messages, one after the other; the answer to the last is judged. */
  readonly turns: readonly string[];
  readonly rule: string;
}

export const firstThings: readonly FirstThing[] = firstThingSets.flatMap((set) =>
  readFileSync(new URL(`first-things/${set}.txt`, import.meta.url), 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => readFirstThing(set, line)),
);

function readFirstThing(set: FirstThing['set'], line: string): FirstThing {
  const at = line.lastIndexOf(' => ');
  const parts = line.slice(0, at).split(' || ');
  const given = (name: string) => parts.find((part) => part.startsWith(`${name}: `))?.slice(name.length + 2);
  const system = given('system');
  return {
    set,
    ...(system !== undefined && { system }),
    tools: given('tools')?.split(' ') ?? [],
    turns: parts.filter((part) => !/^(?:system|tools): /u.test(part)),
    rule: line.slice(at + 4),
  };
}
