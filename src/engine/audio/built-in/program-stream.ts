const isAudioStream = (id: number): boolean => id >= 0xc0 && id <= 0xdf;

/** The bytes of the first audio stream (MPEG audio frames one after another); empty where there is none. */
export function extractAudioStream(file: Uint8Array): Uint8Array {
  const pieces: Uint8Array[] = [];
  let chosen: number | undefined;
  let offset = 0;
  while ((offset = findStartCode(file, offset)) >= 0) {
    const id = file[offset + 3] ?? 0;
    offset += 4;
    if (!isAudioStream(id) || (chosen !== undefined && chosen !== id)) continue;
    const length = ((file[offset] ?? 0) << 8) | (file[offset + 1] ?? 0);
    const packet = file.subarray(offset + 2, offset + 2 + length);
    chosen = id;
    pieces.push(packet.subarray(headerBytes(packet)));
    offset += 2 + length;
  }
  return Buffer.concat(pieces);
}

/** Where the next `00 00 01` is; -1 where there is none. */
function findStartCode(file: Uint8Array, from: number): number {
  for (let index = file.indexOf(1, from + 2); index >= 0; index = file.indexOf(1, index + 1)) {
    if (file[index - 1] === 0 && file[index - 2] === 0) return index - 2;
  }
  return -1;
}

/** How many bytes of a packet are its header: MPEG-2's says so itself, MPEG-1's is read through. */
function headerBytes(packet: Uint8Array): number {
  const at = (index: number): number => packet[index] ?? 0;
  if (at(0) >> 6 === 0b10) return 3 + at(2);
  let index = 0;
  while (at(index) === 0xff) index++;
  if (at(index) >> 6 === 0b01) index += 2;
  if (at(index) >> 4 === 0b0010) return index + 5;
  if (at(index) >> 4 === 0b0011) return index + 10;
  return index + 1;
}
