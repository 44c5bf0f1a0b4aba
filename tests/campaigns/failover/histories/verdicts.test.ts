import { describe, expect, test } from 'vitest';
import { createRandom } from '../random.ts';
import { hasAllowedOrder } from './brute-force.ts';
import { checkHistories } from './check.ts';
import { checkHistory, type Verdict } from './linearizable.ts';
import { type ModelName, models } from './models.ts';
import type { Operation } from './operation.ts';
import { randomOperation, requests, simulatedHistory } from './random-history.ts';

const names = Object.keys(models) as ModelName[];
const seed = Number(process.env.SEED);
/** How many small histories each test compares. */
const histories = Number(process.env.HISTORIES ?? 200);

const verdictOf = (isAllowed: boolean): Verdict => (isAllowed ? 'linearizable' : 'not linearizable');

/** Operations one after the other. An unknown result has no answer. */
const inOrder = (...operations: [request: string, answer?: string][]): Operation[] =>
  operations.map(([request, answer], index) => ({
    sentAt: index * 2,
    answeredAt: answer === undefined ? Number.POSITIVE_INFINITY : index * 2 + 1,
    request,
    answer: answer ?? null,
  }));

const repeated = <T>(count: number, ...items: T[]): T[] => Array.from({ length: count }, () => items).flat();

describe.each(names)('the checker of histories, for the model %s,', (name) => {
  const model = models[name];

  test('agrees with a search through all orders', () => {
    const random = createRandom(seed);
    const verdicts = new Set<Verdict>();
    for (let round = 0; round < histories; round += 1) {
      const operations = Array.from({ length: random.below(7) }, () => randomOperation(name, random));
      const expected = verdictOf(hasAllowedOrder(model, operations));
      verdicts.add(expected);
      expect(checkHistory(model, operations), JSON.stringify(operations)).toBe(expected);
    }
    expect(verdicts.size).toBe(2);
  });

  test('agrees with a search through all orders after one answer of a real history has changed', () => {
    const random = createRandom(seed);
    const verdicts = new Set<Verdict>();
    for (let round = 0; round < histories; round += 1) {
      const real = simulatedHistory(name, 1 + random.below(6), random);
      const changed = random.below(real.length);
      const operations = real.map((operation, index) =>
        index === changed ? { ...operation, answer: otherAnswer(name, operation) } : operation,
      );
      const expected = verdictOf(hasAllowedOrder(model, operations));
      verdicts.add(expected);
      expect(checkHistory(model, operations), JSON.stringify(operations)).toBe(expected);
    }
    expect(verdicts.size).toBe(2);
  });

  test('accepts 3,000 overlapping operations, of which more than 100 have an unknown result', () => {
    const operations = simulatedHistory(name, 3000, createRandom(seed));
    expect(operations.filter(({ answer }) => answer === null).length).toBeGreaterThan(100);
    expect(checkHistory(model, operations)).toBe('linearizable');
  });

  test('finds a wrong answer at the end of 2,000 operations', () => {
    const operations = simulatedHistory(name, 2000, createRandom(seed));
    const [request] = requests[name][0];
    const impossible = { sentAt: 60_000, answeredAt: 60_001, request: 'read', answer: 'superadmin' };
    const again = { ...impossible, request, answer: requests[name][0][1] };
    const last = name === 'role' ? impossible : again;
    expect(checkHistory(model, [...operations, last])).toBe('not linearizable');
  });
});

/** Another answer to the same request, if one exists. */
function otherAnswer(name: ModelName, { request, answer }: Operation): string | null {
  const [, ...answers] = requests[name].find(([asked]) => asked === request) ?? [request];
  return answer === null ? null : (answers.find((other) => other !== answer) ?? answer);
}

test.each([
  [300, 'linearizable'],
  [301, 'not linearizable'],
] as const)(
  '%i reads of a value that 300 changes with an unknown result can set are %s',
  (reads, verdict) => {
    const operations = inOrder(
      ...repeated<[string]>(300, ['set admin']),
      ...repeated<[string, string]>(reads, ['set user', 'done'], ['read', 'admin']),
    );
    expect(checkHistory(models.role, operations)).toBe(verdict);
  },
);

test.each([
  [200, 'linearizable'],
  [201, 'not linearizable'],
] as const)(
  '%i reads of each of two values that 200 changes with an unknown result can set are %s',
  (reads, verdict) => {
    const operations = inOrder(
      ...repeated<[string]>(200, ['set admin'], ['set user']),
      ...repeated<[string, string]>(reads, ['read', 'admin'], ['read', 'user']),
    );
    expect(checkHistory(models.role, operations)).toBe(verdict);
  },
);

test('a history is undecided, and counted as such, when the search reaches its limit', () => {
  const operations = simulatedHistory('role', 500, createRandom(seed));
  expect(checkHistory(models.role, operations, 100)).toBe('undecided');
  const checked = checkHistories([{ model: 'role', key: 'ben', operations }], 100);
  expect(checked.find(({ model }) => model === 'role')).toMatchObject({
    keys: 1,
    unexplained: [],
    undecided: ['ben'],
  });
});
