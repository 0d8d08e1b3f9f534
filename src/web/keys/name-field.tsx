import type { ComponentProps } from 'preact';
import { TextField } from '../ui/forms/fields.tsx';

type Props = Pick<ComponentProps<typeof TextField>, 'label' | 'value' | 'onChange' | 'required'>;

/** A name, of which the server takes up to `most` letters. What is too long is told, and not cut. */
export const NameField = ({ most = 100, ...field }: Props & { readonly most?: number }) => (
  <TextField name="name" pattern={`.{0,${most}}`} {...field} />
);
