import { entries } from '../../text/entries.ts';

/** One parameter of made-up tools: what it may be called, and how a question and a description say it. */
export interface Slot {
  readonly keys: readonly string[];
  /** The kind of its values. */
  readonly kind: string;
  /** `{}` stands for the value; it occurs literally, save for flags. */
  readonly phrases: readonly string[];
  /** How a flag that is not wanted is said. */
  readonly negated?: readonly string[];
  /** How the description says it. */
  readonly described: string;
  readonly enums?: readonly (readonly string[])[];
}

/** All slots by name. */
export const slots: ReadonlyMap<string, Slot> = new Map(
  entries('tool slots').map((entry) => {
    const negated = entry.find('negated')?.split('; ');
    const enums = entry.find('one of')?.split('; ');
    const slot: Slot = {
      keys: entry.get('keys').split(' '),
      kind: entry.get('kind'),
      described: entry.get('described'),
      phrases: entry.get('phrases').split('; '),
      ...(negated && { negated }),
      ...(enums && { enums: enums.map((values) => values.split(' ')) }),
    };
    return [entry.get('slot'), slot];
  }),
);

export function slotOf(name: string): Slot {
  const slot = slots.get(name);
  if (slot === undefined) throw new RangeError(`no slot is called ${name}`);
  return slot;
}
