import { describe, expect, test } from 'vitest';
import { indexPath, readTilePath } from '../../../src/audit/log/tile-path.ts';

describe('the path of a tile', () => {
  test.each([
    [0, '000'],
    [67, '067'],
    [999, '999'],
    [1000, 'x001/000'],
    [1_234_067, 'x001/x234/067'],
    [1_000_000_000, 'x001/x000/x000/000'],
  ])('contains the number %i as %s', (n, path) => {
    expect(indexPath(n)).toBe(path);
    expect(readTilePath('0', path)).toEqual({ level: 0, n, width: 256 });
    expect(readTilePath('entries', `${path}.p/255`)).toEqual({ level: 'entries', n, width: 255 });
  });

  test('has a level from 0 to 63', () => {
    expect(readTilePath('63', '000')?.level).toBe(63);
    for (const level of ['64', '00', '01', '-1', '1.0', '', 'Entries', '1e1', '９'])
      expect([level, readTilePath(level, '000')]).toEqual([level, null]);
  });

  test.each([
    '',
    '0',
    '00',
    '0000',
    '1000',
    'x000/001',
    'x001',
    'x001/x002',
    '001/002',
    'X001/002',
    'x001//002',
    'x001/002/',
    '/001',
    '001.p',
    '001.p/',
    '001.p/0',
    '001.p/01',
    '001.p/256',
    '001.p/999',
    '001.p/1/2',
    '-01',
    '+01',
    '0x1',
    '001\n',
    '00１',
    'x001/x000/x000/x000/000',
  ])('cannot be %j', (index) => {
    expect(readTilePath('0', index)).toBeNull();
  });
});
