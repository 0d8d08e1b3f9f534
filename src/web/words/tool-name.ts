/** The name of a tool as people write it: `get_weather` is "Get weather". */
export function toolName(name: string): string {
  const words = name.replaceAll(/[_-]+/g, ' ').trim();
  return words.charAt(0).toUpperCase() + words.slice(1);
}
