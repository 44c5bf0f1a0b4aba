import { appendFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { conclude } from './conclude.ts';
import type { Recorded } from './histories/recorded.ts';
import { outcomeOf } from './outcome.ts';
import { nextNumber, Recording, type RunResults, readRecording } from './recording.ts';
import { StepRecord } from './step-record.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'recording-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const use = (key: string, answer: string | null): Recorded => ({
  model: 'singleUse',
  key,
  sentAt: 1,
  answeredAt: answer === null ? null : 2,
  request: 'use',
  answer,
});

const resultsAfter = (rounds: number): RunResults => ({
  at: '2026-01-02T03:04:05.000Z',
  seconds: 60,
  cores: 2,
  settings: { seed: 1, seconds: 5, asynchronous: false, isComplete: false },
  rounds,
  outcomes: Array.from({ length: rounds }, () =>
    outcomeOf(new StepRecord('several hosts: switchover', false)),
  ),
  problems: [],
});

async function concluded(): Promise<{ passed: boolean; text: string }> {
  const lines: string[] = [];
  const passed = await conclude(folder, (line) => void lines.push(line));
  return { passed, text: lines.join('\n') };
}

test('a recording contains the completed rounds of a run that was killed while it wrote a line', () => {
  const recording = new Recording(folder, 1);
  recording.add(use('first code', 'opened'));
  recording.completeRound(resultsAfter(1));
  recording.add(use('second code', null));
  recording.completeRound(resultsAfter(2));
  recording.add(use('third code', 'opened'));
  appendFileSync(join(folder, 'histories-1.ndjson'), '{"model":"singleU');

  const [run, ...others] = readRecording(folder);
  expect(others).toEqual([]);
  expect(run?.rounds).toBe(2);
  expect(run?.histories.map(({ key }) => key)).toEqual(['first code', 'second code']);
  expect(run?.histories[1]?.operations[0]?.answeredAt).toBe(Number.POSITIVE_INFINITY);
});

test('a resumed campaign adds a run, even if the earlier run completed no round', () => {
  expect(nextNumber(folder)).toBe(1);
  new Recording(folder, 1).add(use('code', 'opened'));
  expect(readRecording(folder)).toEqual([]);
  expect(nextNumber(folder)).toBe(2);
  new Recording(folder, 2).completeRound(resultsAfter(3));
  expect(readRecording(folder).map(({ rounds }) => rounds)).toEqual([3]);
  expect(nextNumber(folder)).toBe(3);
});

test('the results contain the rounds of all runs, and treat equal keys of two runs as different', async () => {
  for (const number of [1, 2]) {
    const recording = new Recording(folder, number);
    recording.add(use('code', 'opened'));
    recording.completeRound(resultsAfter(number));
  }
  const { passed, text } = await concluded();
  expect(text).toContain('| several hosts: switchover | 3 |');
  expect(text).toContain('| single use | 2 | 2 | 0 | 0 | 0 |');
  expect(passed).toBe(true);
});

test('a recorded history that no order explains is a violation', async () => {
  const recording = new Recording(folder, 1);
  recording.add(use('code', 'opened'));
  recording.add(use('code', 'opened'));
  recording.completeRound(resultsAfter(1));
  const { passed, text } = await concluded();
  expect(text).toContain('VIOLATION: no order explains this history:\nsingle use code');
  expect(passed).toBe(false);
});

test('a recording without a completed round does not pass', async () => {
  new Recording(folder, 1).add(use('code', 'opened'));
  expect(await concluded()).toEqual({ passed: false, text: `${folder} has no completed round.` });
});
