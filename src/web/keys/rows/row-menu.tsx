import type { ComponentProps } from 'preact';
import { t } from '../../words/operator-texts.ts';
import { Icon } from '../../ui/icon.tsx';
import { Menu } from '../../ui/overlays/popover.tsx';
import './row-menu.css';

interface Props extends Pick<ComponentProps<typeof Menu>, 'items'> {
  /** The name of the row's thing for people. */
  readonly name: string;
}

/** Acts on the thing of a row that are rare and cannot be undone, by their words. */
export const RowMenu = ({ name, items }: Props) => (
  <Menu
    label={`${t.shell.more}: ${name}`}
    class="of-row"
    button={
      <span class="icon-button">
        <Icon name="more" />
      </span>
    }
    items={items}
  />
);
