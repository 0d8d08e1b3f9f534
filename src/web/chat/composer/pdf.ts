/** The outcome of reading a PDF. Its text has a line such as `[page 3]` before each page. */
export type PdfText =
  | { readonly outcome: 'read'; readonly pages: number; readonly text: string }
  /** There is no text on any page. */
  | { readonly outcome: 'scanned'; readonly pages: number }
  | { readonly outcome: 'too-long'; readonly pages: number }
  | { readonly outcome: 'locked' }
  | { readonly outcome: 'broken' };

export const mostPdfPages = 500;
/** Of a PDF, most of which is pictures. */
export const mostPdfBytes = 50_000_000;
const timeoutMs = 30_000;

/** The text of a PDF. One that takes more than 30 s is broken. */
export async function readPdf(file: Blob): Promise<PdfText> {
  const worker = new Worker(new URL('pdf-worker.ts', import.meta.url), { type: 'module' });
  const { promise, resolve } = Promise.withResolvers<PdfText>();
  worker.addEventListener('message', ({ data }: MessageEvent<PdfText | object>) => {
    // PDF.js itself sends a message when it is loaded.
    if ('outcome' in data) resolve(data);
  });
  worker.addEventListener('error', () => resolve({ outcome: 'broken' }));
  const timer = setTimeout(() => resolve({ outcome: 'broken' }), timeoutMs);
  try {
    const bytes = await file.arrayBuffer();
    worker.postMessage(bytes, [bytes]);
    return await promise;
  } finally {
    clearTimeout(timer);
    worker.terminate();
  }
}
