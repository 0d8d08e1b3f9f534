import { Popover, type PopoverProps } from '../../ui/overlays/popover.tsx';
import { ModelList } from './lazy-list.ts';

interface Props extends Pick<PopoverProps, 'label' | 'button' | 'buttonClass'> {
  /** The chosen model; undefined: none is. */
  readonly value?: string;
  /** Models that the list leaves out. */
  readonly without: readonly (string | undefined)[];
  readonly onChoose: (id: string) => void;
}

/** A button that opens the list of models, which a choice closes. */
export const ModelPopover = ({ value, without, onChoose, ...popover }: Props) => (
  <Popover class="model-choice" {...popover}>
    {(close) => (
      <ModelList
        value={value}
        without={without}
        onChoose={(id) => {
          close();
          onChoose(id);
        }}
      />
    )}
  </Popover>
);
