type Written = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;

/** Tells the fault of each wrong field of a form below it, and puts the keyboard into the first one. */
export function tellWrongFields(form: HTMLFormElement): void {
  const wrong = [...form.elements].filter(
    (one): one is Written =>
      (one instanceof HTMLInputElement ||
        one instanceof HTMLTextAreaElement ||
        one instanceof HTMLSelectElement) &&
      !one.validity.valid,
  );
  for (const field of wrong.toReversed()) tellBeside(field, reasonOf(field));
}

/** Tells below `field` why it is wrong, until something in its form is changed or the form is sent again. */
export function tellBeside(field: Written, reason: string): void {
  const place = field.closest('.field, .with-button, td, fieldset, form') ?? field;
  if (field.ariaInvalid !== 'true') {
    const told = document.createElement('small');
    told.className = 'wrong';
    told.role = 'alert';
    told.id = `wrong-${crypto.getRandomValues(new Uint32Array(1))[0]}`;
    told.textContent = reason;
    // A list of boxes may be long: its fault stands above them. Help stands below it.
    const list = field.closest('.checks');
    const label = field.closest('.field > label');
    if (list !== null) list.before(told);
    else if (label !== null) label.after(told);
    else place.append(told);
    field.ariaInvalid = 'true';
    field.setAttribute('aria-describedby', told.id);
    const forget = () => {
      told.remove();
      field.ariaInvalid = null;
      field.removeAttribute('aria-describedby');
      field.form?.removeEventListener('input', forget);
      field.form?.removeEventListener('submit', forget, true);
    };
    field.form?.addEventListener('input', forget);
    field.form?.addEventListener('submit', forget, true);
  }
  field.focus();
  document.getElementById(field.getAttribute('aria-describedby') ?? '')?.scrollIntoView({ block: 'nearest' });
}

function fillIn(field: Written): string {
  const label = field.labels?.[0]?.firstElementChild?.textContent;
  if (label?.startsWith('What ')) return `Say ${label.toLowerCase()}.`;
  return label ? `Fill in "${label}".` : 'Fill this in.';
}

function reasonOf(field: Written): string {
  const { valueMissing, badInput, rangeUnderflow, rangeOverflow, stepMismatch, tooShort, patternMismatch } =
    field.validity;
  const { min = '', max = '', pattern = '' } = field instanceof HTMLInputElement ? field : {};
  if (badInput) return 'This is not a number.';
  if (valueMissing || (patternMismatch && field.value.trim() === ''))
    return field.dataset['missing'] ?? fillIn(field);
  if (rangeUnderflow) return `At least ${Number(min).toLocaleString('en')}.`;
  if (rangeOverflow) return `At most ${Number(max).toLocaleString('en')}.`;
  if (stepMismatch) return 'Only whole numbers.';
  if (patternMismatch)
    return `At most ${/\d+(?=\}$)/.exec(pattern)?.[0]} letters, and these are ${Array.from(field.value).length}.`;
  return tooShort && 'minLength' in field ? `At least ${field.minLength} letters.` : field.validationMessage;
}
