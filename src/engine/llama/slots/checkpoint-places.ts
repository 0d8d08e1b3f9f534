import { tileTokens } from '../steps/tiles.ts';

/** Borders of messages that are nearer to each other have one checkpoint. */
const leastSpacingTokens = 32;
/** Places before the last two of a prompt stand at least 256 tokens apart. */
const spacingTokens = 256;
/** A prompt has about eight places at most. */
const mostPlaces = 8;
/** How far before its end a prompt without borders has a place: so the same prompt need not be computed again. */
const tailTokens = 8;

/**
 * Where in a prompt a checkpoint is worth to be saved, in ascending order: after the last message, because the next
 * turn often leaves out the model's thoughts after it; before that message, because it may be edited; then at borders
 * of earlier messages or, where there are none, in between. `borders`: places before tokens that stand between
 * messages, in ascending order. The first `begin` tokens are computed already.
 */
export function checkpointPlaces(promptTokens: number, borders: readonly number[], begin: number): number[] {
  const places: number[] = [];
  const spacing = Math.max(spacingTokens, Math.ceil((promptTokens - begin) / mostPlaces));
  const last = borders.findLast((border) => border < promptTokens) ?? 0;
  let place = promptTokens - last <= tileTokens ? last : promptTokens - tailTokens;
  while (place > begin) {
    places.push(place);
    // The last message may be short; the places before it stand further apart.
    const most = place - (places.length === 1 ? leastSpacingTokens : spacing);
    const border = borders.findLast((one) => one <= most) ?? 0;
    // In a long message it stands where a tile ends. Each place ends a tile early, so they are few.
    place = border > place - 2 * spacing ? border : Math.floor((place - spacing) / tileTokens) * tileTokens;
  }
  return places.reverse();
}
