import { describe, expect, test } from 'vitest';
import { fullHour, isTimeZone, overviewRange, tailStart } from '../../src/overview/rules.ts';

const at = (text: string) => Date.parse(text);
const textsOf = (times: readonly number[]) => times.map((time) => new Date(time).toISOString().slice(0, 16));

describe('the parts of a period:', () => {
  const now = at('2026-11-23T14:35:10.123Z');

  test('the period of 24 hours has 24 parts, and the last part is the current hour', () => {
    const { starts, previousStart, active } = overviewRange('24h', now, 'Asia/Kolkata');
    expect(starts).toHaveLength(24);
    expect(textsOf([starts[0] ?? 0, starts[23] ?? 0, previousStart])).toEqual([
      '2026-11-22T15:00',
      '2026-11-23T14:00',
      '2026-11-21T15:00',
    ]);
    expect(active).toEqual({ unit: 'hour', start: starts[0], previousStart });
  });

  test('7 days end with today, and the period before has 7 days too', () => {
    const { starts, previousStart, active } = overviewRange('7d', now, 'UTC');
    expect(textsOf(starts)).toEqual(
      ['17', '18', '19', '20', '21', '22', '23'].map((day) => `2026-11-${day}T00:00`),
    );
    expect(textsOf([previousStart])).toEqual(['2026-11-10T00:00']);
    expect(active).toEqual({ unit: 'day', start: starts[0], previousStart });
  });

  test('days start at midnight of the time zone, also on the days when clocks change', () => {
    const { starts, active } = overviewRange('7d', at('2026-10-27T12:00:00Z'), 'Europe/Berlin');
    expect(textsOf(starts)).toEqual([
      '2026-10-20T22:00',
      '2026-10-21T22:00',
      '2026-10-22T22:00',
      '2026-10-23T22:00',
      '2026-10-24T22:00',
      '2026-10-25T23:00',
      '2026-10-26T23:00',
    ]);
    expect(textsOf([active.start])).toEqual(['2026-10-21T00:00']);
    const spring = overviewRange('7d', at('2026-03-31T12:00:00Z'), 'America/New_York');
    expect(textsOf(spring.starts).slice(0, 2)).toEqual(['2026-03-25T04:00', '2026-03-26T04:00']);
    const before = overviewRange('7d', at('2026-03-10T12:00:00Z'), 'America/New_York');
    expect(textsOf(before.starts).slice(3, 6)).toEqual([
      '2026-03-07T05:00',
      '2026-03-08T05:00',
      '2026-03-09T04:00',
    ]);
  });

  test('the local day decides what today is', () => {
    const { starts } = overviewRange('7d', at('2026-11-23T20:00:00Z'), 'Pacific/Auckland');
    expect(textsOf(starts).at(-1)).toBe('2026-11-23T11:00');
  });

  test.each(['30d', '90d'] as const)('%s has one start for each day, in ascending order', (period) => {
    const { starts } = overviewRange(period, now, 'Australia/Lord_Howe');
    expect(starts).toHaveLength(Number(period.slice(0, -1)));
    expect([...starts].sort((a, b) => a - b)).toEqual(starts);
  });
});

test('a day that does not start at a full hour in UTC starts at the next full hour', () => {
  expect(textsOf([fullHour(at('2026-11-22T18:30:00Z')), fullHour(at('2026-11-22T18:00:00Z'))])).toEqual([
    '2026-11-22T19:00',
    '2026-11-22T18:00',
  ]);
});

describe('the audit log is read', () => {
  const now = at('2026-11-23T14:35:00Z');

  test.each([
    ['from the end of the last counted hour', '2026-11-23T12:00:00Z', '2026-11-23T12:00'],
    ['at most two days back', '2026-11-01T00:00:00Z', '2026-11-21T14:00'],
    ['two days back if no hour is counted', null, '2026-11-21T14:00'],
    ['from the current hour if the clock moved back', '2026-12-01T00:00:00Z', '2026-11-23T14:00'],
  ])('%s', (_, until, start) => {
    expect(textsOf([tailStart(until === null ? null : at(until), now)])).toEqual([start]);
  });
});

test.each([
  ['UTC', true],
  ['Europe/Berlin', true],
  ['Etc/GMT+5', true],
  ['Mars/Olympus', false],
  ['', false],
  ['Europe/Berlin\n', false],
  [`Europe/${'x'.repeat(100)}`, false],
])('whether %j is a time zone: %s', (name, expected) => {
  expect(isTimeZone(name)).toBe(expected);
});
