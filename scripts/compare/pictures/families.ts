import type { ProjectorFamily, TinyProjectorOptions } from '../../make/tiny-model/write-tiny-projector.ts';
import type { TinyModelOptions } from '../../make/tiny-model/write-tiny-model.ts';

/** A tiny model that sees, and its projector. */
export interface SeeingModel {
  readonly model: TinyModelOptions;
  readonly projector: TinyProjectorOptions;
}

const endless = { endOfTurnGain: 0, contextTokens: 4096 } as const;

/** Of each way in which models take pictures, one. */
const families = {
  gemma3: { model: { ...endless, architecture: 'gemma3' }, projector: { family: 'gemma3' } },
  idefics3: {
    model: {
      ...endless,
      controlTexts: ['<fake_token_around_image>', '<global-img>'],
      // Two line feeds, which its projector puts between the parts of a picture.
      furtherTexts: ['\u010a\u010a'],
    },
    projector: { family: 'idefics3' },
  },
  qwen2vl: { model: { ...endless, architecture: 'qwen2vl' }, projector: { family: 'qwen2vl' } },
} as const satisfies Partial<Record<ProjectorFamily, SeeingModel>>;

export type SeeingFamily = keyof typeof families;

export const seeingFamilies: Readonly<Record<SeeingFamily, SeeingModel>> = families;

/** A question: texts with the number of a picture between each two of them. */
export interface PictureQuestion {
  readonly name: string;
  readonly texts: readonly string[];
  readonly pictures: readonly number[];
}

export const pictureQuestions: readonly PictureQuestion[] = [
  { name: 'one picture', texts: ['Look at ', ' and tell me what it shows.'], pictures: [0] },
  { name: 'another picture', texts: ['Look at ', ' and tell me what it shows.'], pictures: [1] },
  {
    name: 'three pictures',
    texts: ['First ', ' then ', ' and at last ', '. Which is it?'],
    pictures: [0, 1, 2],
  },
];

export const answerTokens = 24;

/** Picture number 0, 1, 2 … as a BMP file: of other sizes, other colours and other patterns. */
export function pictureFile(number: number): Buffer {
  const [width, height] = [96 + 60 * number, 160 - 40 * number];
  const rowBytes = Math.ceil((width * 3) / 4) * 4;
  const file = Buffer.alloc(54 + rowBytes * height);
  file.write('BM', 0, 'latin1');
  file.writeUInt32LE(file.length, 2);
  file.writeUInt32LE(54, 10);
  file.writeUInt32LE(40, 14);
  file.writeInt32LE(width, 18);
  file.writeInt32LE(height, 22);
  file.writeUInt16LE(1, 26);
  file.writeUInt16LE(24, 28);
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const at = 54 + y * rowBytes + x * 3;
      file[at] = (x * 255) / width;
      file[at + 1] = (x >> (3 + number)) % 2 === (y >> 4) % 2 ? 220 : 40;
      file[at + 2] = (255 * (y + number * 30)) / (height + 90);
    }
  return file;
}
