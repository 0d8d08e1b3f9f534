import type { ComponentChildren } from 'preact';
import { mayChange, mayMake } from '../state/rights.ts';
import { t } from '../words/operator-texts.ts';

/** The title of a view of operators with its buttons, and the limits of a key with scopes. */
export const PageHeader = ({ title, children }: { title: string; children: ComponentChildren }) => (
  <header class="page-header">
    <h1>
      {title}{' '}
      {!mayChange.value && <span class="state">{mayMake.value ? t.rights.makes : t.rights.reads}</span>}
    </h1>
    {children}
  </header>
);
