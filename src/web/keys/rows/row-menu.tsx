import type { ComponentProps } from 'preact';
import { t } from '../../words/operator-texts.ts';
import { Icon } from '../../ui/icon.tsx';
import { Menu } from '../../ui/overlays/popover.tsx';
import './row-menu.css';

interface Props extends Pick<ComponentProps<typeof Menu>, 'items'> {
  /** What people call the thing of the row. */
  readonly name: string;
}

/** What is done rarely with the thing of a row, and cannot be undone, by its words. */
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
