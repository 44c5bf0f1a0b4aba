import { expect, test } from 'vitest';
import { axisSteps, labelEvery } from '../../examples/server/web/ui/chart-scale.ts';
import { initialsOf, tintOf } from '../../examples/server/web/ui/initials.ts';

test.each([
  ['Ada Lovelace', 'AL'],
  ['ada', 'A'],
  ['ben.smith', 'BS'],
  ['Ada King Lovelace', 'AL'],
  ['  anna_müller ', 'AM'],
  ['عبد العزيز', 'عا'],
  ['👩🏽‍🚀 zoë', '👩🏽‍🚀Z'],
  ['', ''],
])('the initials of %j are %j', (name, initials) => {
  expect(initialsOf(name)).toBe(initials);
});

test('a name always has the same color, and different names share six colors', () => {
  const tints = Array.from({ length: 200 }, (_, index) => tintOf(`user-${index}`));
  expect([...new Set(tints)].sort()).toEqual([1, 2, 3, 4, 5, 6]);
  expect(tintOf('ada')).toBe(tintOf('ada'));
});

test.each([
  [0, [0, 1]],
  [3, [0, 1, 2, 3]],
  [4, [0, 1, 2, 3, 4]],
  [7, [0, 2, 4, 6, 8]],
  [198, [0, 50, 100, 150, 200]],
  [4_430, [0, 2_000, 4_000, 6_000]],
])('the axis for values up to %i has the steps %j', (largest, steps) => {
  expect(axisSteps(largest)).toEqual(steps);
});

test('the axis shows only every second or eighth label if thirty labels do not fit', () => {
  expect(labelEvery(30, 1_000)).toBe(2);
  expect(labelEvery(30, 300)).toBe(8);
  expect(labelEvery(7, 1_000)).toBe(1);
  expect(labelEvery(0, 0)).toBe(1);
});
