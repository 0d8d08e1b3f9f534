/** Reads the text of one PDF in a worker, so that a long or a hostile file holds up nothing and can be given up. */
import { extractText, getDocumentProxy } from 'unpdf';
import { mostPdfPages, type PdfText } from './pdf.ts';

addEventListener('message', ({ data }: MessageEvent<ArrayBuffer>) => {
  void readPdf(data).then((outcome) => postMessage(outcome));
});

async function readPdf(bytes: ArrayBuffer): Promise<PdfText> {
  try {
    const pdf = await getDocumentProxy(new Uint8Array(bytes));
    const pages = pdf.numPages;
    if (pages > mostPdfPages) return { outcome: 'too-long', pages };
    const { text } = await extractText(pdf);
    const written = text.map((page) => page.trim());
    if (written.every((page) => page === '')) return { outcome: 'scanned', pages };
    return {
      outcome: 'read',
      pages,
      text: written.map((page, index) => `[page ${index + 1}]\n${page}`).join('\n\n'),
    };
  } catch (error) {
    return { outcome: error instanceof Error && error.name === 'PasswordException' ? 'locked' : 'broken' };
  }
}
