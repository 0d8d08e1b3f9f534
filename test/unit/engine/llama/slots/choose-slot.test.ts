import { describe, expect, it } from 'vitest';
import type { RunningSequence } from '../../../../../src/engine/llama/steps/running-sequence.ts';
import { chooseSlot } from '../../../../../src/engine/llama/slots/choose-slot.ts';
import { Slot } from '../../../../../src/engine/llama/slots/slot.ts';

const tokens = (length: number, first = 0) => Uint32Array.from({ length }, (_, index) => first + index);
const somebody = {} as RunningSequence;

interface SlotState {
  readonly account?: string;
  readonly cache?: Uint32Array;
  readonly busy?: boolean;
  readonly lastUse?: number;
}

const slotsOf = (...states: readonly SlotState[]) =>
  states.map(({ account, cache = tokens(0), busy = false, lastUse = 0 }, index) => {
    const slot = new Slot(index, 256);
    slot.accountId = account;
    slot.append(cache);
    slot.running = busy ? somebody : undefined;
    slot.lastUse = lastUse;
    return slot;
  });

const choose = (slots: readonly Slot[], prompt = tokens(200)) => chooseSlot(slots, 'me', prompt)?.index;

describe('chooseSlot', () => {
  it('finds none when all are busy', () => {
    expect(choose(slotsOf({ busy: true }, { busy: true }))).toBeUndefined();
  });

  it('takes the one that holds the longest beginning of the prompt', () => {
    const mine = (length: number) => ({ account: 'me', cache: tokens(length) });
    expect(choose(slotsOf(mine(64), mine(128), mine(96)))).toBe(1);
  });

  it('looks at the beginning that is equal, not at how much there is', () => {
    const other = { account: 'me', cache: tokens(250, 7) };
    expect(choose(slotsOf(other, { account: 'me', cache: tokens(64) }))).toBe(1);
  });

  it("never goes by what another account's cache holds", () => {
    const slots = slotsOf({ lastUse: 1 }, { account: 'you', cache: tokens(200), lastUse: 2 });
    expect(choose(slots)).toBe(0);
  });

  it('takes one beside busy slots when no prefix speaks against it', () => {
    expect(choose(slotsOf({}, {}, { busy: true }, {}, { busy: true }))).toBe(3);
  });

  it('does not leave a well placed slot for a few cached tokens', () => {
    expect(choose(slotsOf({ account: 'me', cache: tokens(31) }, {}, { busy: true }))).toBe(1);
  });

  it('goes back to a few cached tokens when the prompt is short', () => {
    expect(choose(slotsOf({ account: 'me', cache: tokens(14) }, {}, {}), tokens(58))).toBe(0);
    expect(choose(slotsOf({ account: 'me', cache: tokens(14), lastUse: 1 }, {}, {}), tokens(200))).toBe(1);
  });

  it('takes the one that was not used for longest, then the first', () => {
    expect(choose(slotsOf({ lastUse: 3 }, { lastUse: 1 }, { lastUse: 2 }))).toBe(1);
    expect(choose(slotsOf({}, {}, {}))).toBe(0);
  });
});

describe('Slot', () => {
  it('knows what its cache holds after appending and truncating', () => {
    const slot = new Slot(0, 10);
    slot.append(tokens(6));
    slot.truncate(4);
    slot.append(tokens(2, 90));
    expect(slot.length).toBe(6);
    expect(slot.sharedPrefix(Uint32Array.of(0, 1, 2, 3, 90, 91, 92))).toBe(6);
    expect(slot.sharedPrefix(tokens(10))).toBe(4);
  });

  it('does not grow by truncating', () => {
    const slot = new Slot(0, 10);
    slot.append(tokens(3));
    slot.truncate(7);
    expect(slot.length).toBe(3);
  });
});
