import './file-name.css';

/** In characters: as much of the end of a long name stays in sight, with the kind of file. */
const endLength = 12;

/** In characters: a phone has room for no more beside the size of the file. */
export const shortName = 24;
const longName = 40;

interface Props {
  readonly name: string;
  /** In characters. */
  readonly most?: number | undefined;
}

/** The name of a file. A long one is cut in its middle: names of one series differ at their ends. */
export function FileName({ name, most = isNarrow() ? shortName : longName }: Props) {
  const end = name.slice(-endLength);
  const begin = name.slice(0, -endLength);
  return (
    <span class="file-name" title={name}>
      <span>{name.length > most ? `${begin.slice(0, most - endLength - 1)}…` : begin}</span>
      {end}
    </span>
  );
}

const isNarrow = () => matchMedia('(max-width: 480px)').matches;
