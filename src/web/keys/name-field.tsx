import type { ComponentProps } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { TextField } from '../ui/forms/fields.tsx';

interface Props extends Pick<ComponentProps<typeof TextField>, 'label' | 'value' | 'onChange' | 'required'> {
  readonly most?: number;
  /** Why this name cannot be taken, told with all else that is wrong. */
  readonly wrong?: string;
}

/** A name, of which the server takes up to `most` letters. A longer one is told, and not cut; blanks are none. */
export function NameField({ most = 100, wrong = '', ...field }: Props) {
  const input = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => input.current?.setCustomValidity(wrong), [wrong]);
  const pattern = `${field.required ? String.raw`(?=.*\S)` : ''}.{0,${most}}`;
  return <TextField ref={input} name="name" pattern={pattern} {...field} />;
}
