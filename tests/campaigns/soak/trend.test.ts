import { expect, test } from 'vitest';
import { createRandom } from '../failover/random.ts';
import { isFlat, type Sample, trendOf } from './trend.ts';

const random = createRandom(1);
const samplesOf = (valueAt: (minute: number) => number): Sample[] =>
  Array.from({ length: 120 }, (_, index) => ({ at: index * 20, value: valueAt(index / 3) }));
const noise = (most: number) => random.below(most * 2) - most;

test('the trend of a straight line is exact', () => {
  const { mean, growth, leastGrowth } = trendOf(samplesOf((minute) => 100 + minute));
  expect(mean).toBeCloseTo(100 + 119 / 6);
  expect(growth).toBeCloseTo(119 / 3);
  expect(leastGrowth).toBeCloseTo(119 / 3);
});

test.each<[title: string, valueAt: (minute: number) => number]>([
  ['a constant value', () => 50],
  ['random noise', () => 100 + noise(30)],
  ['a table that housekeeping empties every ten minutes', (minute) => 500 + (minute % 10) * 100],
  ['a value that falls', (minute) => 200 - minute],
])('%s is flat', (_, valueAt) => {
  expect(isFlat(trendOf(samplesOf(valueAt)), 0.1, 0)).toBe(true);
});

test.each<[title: string, valueAt: (minute: number) => number]>([
  ['a slow leak', (minute) => 100 + minute],
  ['a slow leak in noise', (minute) => 100 + minute + noise(10)],
  ['a table that housekeeping empties only in part', (minute) => 500 + (minute % 10) * 100 + minute * 20],
])('%s is not flat', (_, valueAt) => {
  expect(isFlat(trendOf(samplesOf(valueAt)), 0.1, 0)).toBe(false);
});

test('growth within the allowance counts as flat', () => {
  const trend = trendOf(samplesOf((minute) => 10 + minute / 20));
  expect([isFlat(trend, 0, 3), isFlat(trend, 0, 1)]).toEqual([true, false]);
});
