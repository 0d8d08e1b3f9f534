import { toMoment } from '../../times.ts';
import { Problem } from '../../ui/controls.tsx';

/** What the server says of a limit, with its times as people have them on the day on which they read it. */
export const Refusal = ({ text }: { text: string | undefined }) => (
  <Problem text={text?.replace(/at (\d{4}-\S+Z)/, (_, time: string) => toMoment(new Date(time)))} />
);
