/** More than models look at; the writing on a screenshot can still be read. */
const longestSidePx = 1600;
/** Of a picture as it is sent, in each request of its conversation. */
const mostBytes = 2_000_000;

/** Types sent unchanged where small enough. JPEG is not: it may lie on its side, and may tell where it was taken. */
const plainTypes = ['image/png', 'image/webp', 'image/gif', 'image/bmp'];
/** Types that a picture keeps when it is drawn anew; others become JPEG. */
const writtenTypes = ['image/png', 'image/webp'];

/**
 * `file` as it is sent: at most 1,600 pixels wide and high, upright, and without a camera's notes. undefined: it is no
 * picture that the browser can read.
 */
export async function toPicture(file: Blob): Promise<Blob | undefined> {
  const bitmap = await createImageBitmap(file).catch(() => undefined);
  if (bitmap === undefined) return undefined;
  try {
    const scale = Math.min(1, longestSidePx / Math.max(bitmap.width, bitmap.height));
    if (scale === 1 && plainTypes.includes(file.type) && file.size <= mostBytes) return file;
    const written = writtenTypes.includes(file.type) ? await write(bitmap, scale, file.type) : undefined;
    return written !== undefined && written.size <= mostBytes
      ? written
      : await write(bitmap, scale, 'image/jpeg');
  } finally {
    bitmap.close();
  }
}

async function write(bitmap: ImageBitmap, scale: number, type: string): Promise<Blob | undefined> {
  const width = Math.max(1, Math.round(bitmap.width * scale));
  const height = Math.max(1, Math.round(bitmap.height * scale));
  const canvas = Object.assign(document.createElement('canvas'), { width, height });
  const context = canvas.getContext('2d');
  if (context === null) return undefined;
  // JPEG knows nothing transparent, and would show it black.
  if (type === 'image/jpeg') {
    context.fillStyle = 'white';
    context.fillRect(0, 0, width, height);
  }
  context.imageSmoothingQuality = 'high';
  context.drawImage(bitmap, 0, 0, width, height);
  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, type, 0.92));
  return blob ?? undefined;
}
