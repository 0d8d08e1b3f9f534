import { deflateSync } from 'node:zlib';

interface Scan {
  /** Entries of the picture's dictionary. */
  readonly dictionary: string;
  readonly data: Uint8Array;
}

/** A PDF with one picture on each page, and nothing else. Its pages are low: less of each is drawn. */
export function scanOf(pictures: readonly Scan[]): Buffer {
  const content = 'q 800 0 0 100 0 0 cm /I Do Q';
  const stream = (dictionary: string, data: string) =>
    `<< ${dictionary} /Length ${data.length} >>\nstream\n${data}\nendstream`;
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Kids [${pictures.map((_, at) => `${3 + 3 * at} 0 R`).join(' ')}] /Count ${pictures.length} >>`,
    ...pictures.flatMap(({ dictionary, data }, at) => [
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 800 100] /Contents ${4 + 3 * at} 0 R /Resources << /XObject << /I ${5 + 3 * at} 0 R >> >> >>`,
      stream('', content),
      stream(`/Type /XObject /Subtype /Image ${dictionary}`, Buffer.from(data).toString('latin1')),
    ]),
  ];
  const bodies = objects.map((body, at) => `${at + 1} 0 obj\n${body}\nendobj\n`).join('');
  const trailer = `trailer\n<< /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n9\n%%EOF`;
  return Buffer.from(`%PDF-1.7\n${bodies}${trailer}`, 'latin1');
}

/** A page of one colour. */
export const colouredPage = (red: number, green: number, blue: number): Scan => ({
  dictionary: '/Width 2 /Height 2 /ColorSpace /DeviceRGB /BitsPerComponent 8 /Filter /FlateDecode',
  data: deflateSync(Buffer.from([red, green, blue, red, green, blue, red, green, blue, red, green, blue])),
});

/** A white page as fax machines and office scanners write it: one bit for each of two lines, and the end. */
export const faxedPage: Scan = {
  dictionary:
    '/Width 16 /Height 2 /ColorSpace /DeviceGray /BitsPerComponent 1 /Filter /CCITTFaxDecode /DecodeParms << /K -1 /Columns 16 /Rows 2 >>',
  data: Buffer.from('c0040040', 'hex'),
};
