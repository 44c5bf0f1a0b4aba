import { expect, test } from 'vitest';
import { examineTampering, examineWitness } from '../../../cli/doctor/tampering.ts';

const verification = {
  ok: true,
  origin: 'localhost/auth/audit-log/0123abcd',
  size: 5000,
  from: 4096,
  events: 904,
  pruned: 0,
  erased: 0,
  waiting: 0,
  witnessed: 0,
  problemCount: 0,
  problems: [],
};
const now = new Date('2026-11-23T20:00:00Z');

test('the doctor says how many of the newest entries it has checked', () => {
  expect(examineTampering(verification)).toEqual([
    { name: 'Audit log', level: 'ok', message: 'the newest 904 of 5000 entries are as they were signed' },
  ]);
});

test('the doctor says nothing about an empty log', () => {
  expect(examineTampering({ ...verification, size: 0, from: 0 })).toEqual([]);
});

test('the doctor names the first problem of the audit log', () => {
  const problem = { kind: 'entry', position: 4100, message: 'Entry 4100 was changed.' } as const;
  expect(
    examineTampering({ ...verification, ok: false, problemCount: 2, problems: [problem, problem] }),
  ).toMatchObject([{ level: 'error', message: 'Entry 4100 was changed. (2 problems)' }]);
});

test.each([
  [null, []],
  [{ name: 'w', cosignedAt: '2026-11-23T19:56:00.000Z' }, ['ok']],
  [{ name: 'w', cosignedAt: '2026-11-23T19:54:00.000Z' }, ['warning']],
  [{ name: 'w', cosignedAt: null }, ['warning']],
])('the doctor warns five minutes after the last cosignature (%j)', (witness, levels) => {
  expect(examineWitness(witness, now).map(({ level }) => level)).toEqual(levels);
});
