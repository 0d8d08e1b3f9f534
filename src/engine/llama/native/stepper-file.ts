/** The addon for this machine and these sources. Throws where there is none. */
export function stepperFile(): string {
  const file = process.env['HEARTH_STEPPER_FILE'];
  if (file === undefined) throw new Error('it is not built');
  return file;
}
