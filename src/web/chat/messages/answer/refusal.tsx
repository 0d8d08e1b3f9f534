import { toMoment } from '../../../words/times.ts';
import { Problem } from '../../../ui/controls.tsx';

/** The server's message about a limit; the time in it is told from the day of reading: `tonight at midnight`. */
export const Refusal = ({ text }: { text: string | undefined }) => (
  <Problem text={text?.replace(/at (\d{4}-\S+Z)/, (_, time: string) => toMoment(new Date(time)))} />
);
