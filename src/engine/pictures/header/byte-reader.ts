/** Reads numbers from bytes. Every method throws RangeError where the bytes end before the number does. */
export class ByteReader {
  readonly length: number;
  readonly #view: DataView;

  constructor(bytes: Uint8Array) {
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.length = bytes.byteLength;
  }

  byte(at: number): number {
    return this.#view.getUint8(at);
  }

  /** 16 bits without a sign. */
  short(at: number, isLittleEndian: boolean): number {
    return this.#view.getUint16(at, isLittleEndian);
  }

  /** 32 bits without a sign. */
  long(at: number, isLittleEndian: boolean): number {
    return this.#view.getUint32(at, isLittleEndian);
  }

  /** 32 bits with a sign, the lowest byte first. */
  signedLong(at: number): number {
    return this.#view.getInt32(at, true);
  }

  /** 24 bits without a sign, the lowest byte first. */
  triple(at: number): number {
    return this.short(at, true) + this.byte(at + 2) * 2 ** 16;
  }

  /** `length` bytes as text, one character for each. */
  text(at: number, length: number): string {
    return String.fromCharCode(...Array.from({ length }, (_, index) => this.byte(at + index)));
  }

  /** A reader of the `length` bytes from `at`. */
  part(at: number, length: number): ByteReader {
    const { buffer, byteOffset, byteLength } = this.#view;
    if (at + length > byteLength) throw new RangeError('the bytes end before the part does');
    return new ByteReader(new Uint8Array(buffer, byteOffset + at, length));
  }
}
