/** Loaded with the first document of Word. It is a ZIP archive with the text as XML. */

const endMark = 0x06054b50;
const entryMark = 0x02014b50;
const entryBytes = 46;

/** The paragraphs of a document of Word, of at most `mostBytes`. Rejects where it is none. */
export async function readDocx(archive: ArrayBuffer, mostBytes: number): Promise<string> {
  const xml = new TextDecoder().decode(
    await inflate(findEntry(archive, 'word/document.xml'), 20 * mostBytes),
  );
  const root = new DOMParser().parseFromString(xml, 'application/xml');
  const paragraphs = [...root.getElementsByTagName('w:p')].map((paragraph) =>
    [...paragraph.getElementsByTagName('*')]
      .map(({ nodeName, textContent }) => texts[nodeName] ?? (nodeName === 'w:t' ? textContent : ''))
      .join(''),
  );
  const text = paragraphs.join('\n');
  if (text.trim() === '' || text.length > mostBytes) throw new Error('no text of that length');
  return text;
}

const texts: Readonly<Record<string, string>> = { 'w:tab': '\t', 'w:br': '\n' };

/** The packed bytes of the file of that name. */
function findEntry(archive: ArrayBuffer, wanted: string): Uint8Array<ArrayBuffer> {
  const view = new DataView(archive);
  let end = archive.byteLength - 22;
  while (view.getUint32(end, true) !== endMark) end -= 1;
  let at = view.getUint32(end + 16, true);
  while (view.getUint32(at, true) === entryMark) {
    const nameLength = view.getUint16(at + 28, true);
    const name = new TextDecoder().decode(new Uint8Array(archive, at + entryBytes, nameLength));
    if (name === wanted) {
      const start = view.getUint32(at + 42, true);
      const contentAt = start + 30 + view.getUint16(start + 26, true) + view.getUint16(start + 28, true);
      return new Uint8Array(archive, contentAt, view.getUint32(at + 20, true));
    }
    at += entryBytes + nameLength + view.getUint16(at + 30, true) + view.getUint16(at + 32, true);
  }
  throw new Error('no such file');
}

/** Rejects where the content has more than `mostBytes`, which a small archive may unfold to. */
async function inflate(packed: Uint8Array<ArrayBuffer>, mostBytes: number): Promise<Uint8Array> {
  const reader = new Blob([packed]).stream().pipeThrough(new DecompressionStream('deflate-raw')).getReader();
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  for (let length = 0; ;) {
    const { value, done } = await reader.read();
    if (done) return new Uint8Array(await new Blob(chunks).arrayBuffer());
    chunks.push(value);
    length += value.length;
    if (length > mostBytes) throw new Error('too long');
  }
}
