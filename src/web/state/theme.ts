import { computed, effect, signal } from '@preact/signals';

export type Theme = 'system' | 'light' | 'dark';

const storageName = 'hearth-theme';
const stored = localStorage.getItem(storageName);

export const theme = signal<Theme>(stored === 'light' || stored === 'dark' ? stored : 'system');

const darkness = matchMedia('(prefers-color-scheme: dark)');

const isSystemDark = signal(darkness.matches);
darkness.addEventListener('change', ({ matches }) => {
  isSystemDark.value = matches;
});

/** Whether colours are dark: plots and diagrams are coloured by code, not by a style sheet. */
export const isDark = computed(
  () => theme.value === 'dark' || (theme.value === 'system' && isSystemDark.value),
);

effect(() => {
  localStorage.setItem(storageName, theme.value);
  // The style sheet follows the system unless this attribute is set.
  if (theme.value === 'system') delete document.documentElement.dataset['theme'];
  else document.documentElement.dataset['theme'] = theme.value;
});
