import { describe, expect, it } from 'vitest';
import { layOutFields, layOutTable, type Column } from '../../../src/cli/table.ts';

interface Row {
  readonly id: string;
  readonly note: string;
  readonly count: number;
  readonly made: string;
}

const rows: readonly Row[] = [
  {
    id: 'key_0123456789abcdef',
    note: 'for the laptop that stands in the kitchen',
    count: 7,
    made: '2026-11-20',
  },
  { id: 'key_fedcba9876543210', note: 'short', count: 1234, made: '2026-11-21' },
];
const columns: readonly Column<Row>[] = [
  { title: 'ID', value: ({ id }) => id },
  { title: 'NOTE', value: ({ note }) => note, giveWay: 'wrap' },
  { title: 'COUNT', value: ({ count }) => count, align: 'right', giveWay: 1 },
  { title: 'MADE', value: ({ made }) => made, giveWay: 2 },
];
const layOut = (width?: number) => layOutTable(rows, columns, width);
const widest = (lines: readonly string[]) => Math.max(...lines.map((line) => line.length));

describe('a table', () => {
  it('is as wide as it likes where nothing bounds it', () => {
    expect(layOut().lines[0]).toMatch(/^ID +NOTE +COUNT +MADE$/);
    expect(layOut().lines).toHaveLength(3);
  });

  it.each([20, 30, 40, 50, 60, 70, 80])('fits %d columns with every id whole', (width) => {
    const { lines } = layOut(width);
    expect(widest(lines)).toBeLessThanOrEqual(Math.max(width, 'COUNT  key_0123456789abcdef'.length));
    for (const { id } of rows) expect(lines.join('\n')).toContain(id);
  });

  it('wraps text at its spaces first', () => {
    expect(layOut(70)).toEqual({
      lines: [
        'ID                    NOTE                           COUNT  MADE',
        'key_0123456789abcdef  for the laptop that stands in      7  2026-11-20',
        '                      the kitchen',
        'key_fedcba9876543210  short                           1234  2026-11-21',
      ],
      leftOut: [],
    });
  });

  it('leaves out what matters least, and tells what', () => {
    expect(layOut(60).leftOut).toEqual(['MADE']);
    expect(layOut(48).leftOut).toEqual(['COUNT', 'MADE']);
  });

  it('wraps what matters more than that before it is left out, and no word', () => {
    const noted = columns.map((column) => (column.title === 'NOTE' ? { ...column, giveWay: 0.5 } : column));
    expect(layOutTable(rows, noted, 48)).toEqual(layOut(48));
    expect(layOutTable(rows, noted, 40).leftOut).toEqual(['NOTE', 'COUNT', 'MADE']);
    const [first] = rows;
    const long = first === undefined ? [] : [{ ...first, note: `a ${'word'.repeat(8)}` }];
    expect(layOutTable(long, noted, 53).leftOut).toEqual(['NOTE', 'COUNT', 'MADE']);
    expect(layOutTable(long, noted, 54).leftOut).toEqual(['COUNT', 'MADE']);
  });

  it('becomes a block for each row, with everything in it, where the rest does not fit', () => {
    expect(layOut(40)).toEqual({
      lines: [
        'ID     key_0123456789abcdef',
        'NOTE   for the laptop that stands in the',
        '       kitchen',
        'COUNT  7',
        'MADE   2026-11-20',
        '',
        'ID     key_fedcba9876543210',
        'NOTE   short',
        'COUNT  1234',
        'MADE   2026-11-21',
      ],
      leftOut: [],
    });
  });
});

it('fields have their names in a column of their own', () => {
  const fields = [
    ['id', 'x'],
    ['what it is', 'a long text that goes on'],
  ] as const;
  expect(layOutFields(fields, 28)).toEqual([
    'id          x',
    'what it is  a long text that',
    '            goes on',
  ]);
});
