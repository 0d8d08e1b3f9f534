import { t } from '../../../words/dialog-texts.ts';

type Kind = keyof typeof t.alerts;

/** The first line of a quote that GitHub shows as an alert. Models write its text behind it, too. */
const alertMark = /^\[!(note|tip|important|warning|caution)\][ \t]*\n?/i;

/** The kind of alert that a quote of this text is, and its text without the mark; undefined: it is a plain quote. */
export function readAlert(text: string): { readonly kind: Kind; readonly text: string } | undefined {
  const [mark = '', name = ''] = alertMark.exec(text) ?? [];
  return mark === '' ? undefined : { kind: name.toLowerCase() as Kind, text: text.slice(mark.length) };
}

/** An alert as HTML around that of its text. */
export const toAlert = (kind: Kind, html: string): string =>
  `<blockquote class="alert" data-kind="${kind}"><p class="alert-title">${t.alerts[kind]}</p>${html}</blockquote>`;
