import type { ComponentChildren } from 'preact';
import { Icon } from './icon.tsx';
import './fold.css';

interface Props {
  readonly title: string;
  readonly class?: string;
  readonly isOpen?: boolean;
  readonly children: ComponentChildren;
}

/** Content that unfolds below its title. */
export const Fold = ({ title, class: name = '', isOpen = false, children }: Props) => (
  <details class={`fold ${name}`} open={isOpen}>
    <summary>
      {title}
      <Icon name="right" />
    </summary>
    {children}
  </details>
);
