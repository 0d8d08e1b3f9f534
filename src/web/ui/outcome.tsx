import type { useWork } from '../state/polled.ts';
import { Problem } from './controls.tsx';
import { lazyPart } from './rendering/lazy-part.tsx';

const SlowWork = lazyPart(async () => (await import('./slow-work.tsx')).SlowWork);

type Work = Pick<ReturnType<typeof useWork>, 'problem' | 'isBusy' | 'giveUp'>;

/** What became of work that a person asked for: why it failed, or while it is awaited for long, a way to give that up. */
export const Outcome = ({ of: { problem, isBusy, giveUp } }: { of: Work }) =>
  isBusy ? <SlowWork onGiveUp={giveUp} /> : <Problem text={problem} />;
