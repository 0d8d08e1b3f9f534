/** The name by which links reach a heading, as GitHub makes it: "Ollama's API" becomes ollamas-api. */
export function headingId(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(' ', '-');
}
