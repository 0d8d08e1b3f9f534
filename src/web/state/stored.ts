/** The JSON of `text`, or `otherwise` where that is none. */
export function parsed<Value>(text: string | null, otherwise: Value): Value {
  try {
    return JSON.parse(text ?? '') as Value;
  } catch {
    return otherwise;
  }
}
