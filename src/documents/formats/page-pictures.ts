import { createRequire } from 'node:module';
import type * as Photon from '@silvia-odwyer/photon-node';
import { PDFiumLibrary } from '@hyzyla/pdfium';
import { DocumentError } from '../document-error.ts';

/** Of the pages that one document has a model look at. */
export const mostPictures = 20;
/** More than models look at; small print can still be read. */
const longestSidePixels = 1600;
const jpegQuality = 85;

/** The pages of a PDF without text, as JPEG. Throws DocumentError: it has too many. */
export async function picturesOf(bytes: Uint8Array, pages: number): Promise<readonly Uint8Array[]> {
  if (pages > mostPictures)
    throw new DocumentError(
      `has ${pages} pages that are pictures, and at most ${mostPictures} are looked at. Send a part of it`,
    );
  const library = await PDFiumLibrary.init();
  const { PhotonImage } = createRequire(import.meta.url)('@silvia-odwyer/photon-node') as typeof Photon;
  const document = await library.loadDocument(bytes);
  try {
    const pictures: Uint8Array[] = [];
    for (const page of document.pages()) {
      const { originalWidth, originalHeight } = page.getOriginalSize();
      const scale = longestSidePixels / Math.max(originalWidth, originalHeight, 1);
      const { data, width, height } = await page.render({ scale, render: 'bitmap' });
      const picture = new PhotonImage(data, width, height);
      pictures.push(picture.get_bytes_jpeg(jpegQuality));
      picture.free();
    }
    return pictures;
  } finally {
    document.destroy();
    library.destroy();
  }
}
