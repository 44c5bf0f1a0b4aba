import type { Statement } from 'latchkey';
import { expect, test } from 'vitest';
import { createSessionUses } from '../../src/sessions/session-uses.ts';

const silent = { info: () => {}, warn: () => {}, error: () => {} };

/** Returns the uses of a service, and the values of each statement that records uses. */
function start() {
  const recorded: Statement['values'][] = [];
  const db = {
    query: async <Row>({ values }: Statement): Promise<Row[]> => {
      recorded.push(values);
      return [];
    },
  };
  return { uses: createSessionUses(db, 60, silent), recorded };
}
const use = (sessionId: number, usedAtMs = 1000, idleSeconds = 3600) => ({
  sessionId: `${sessionId}`,
  usedAtMs,
  idleSeconds,
});

test('the uses of a thousand sessions are recorded without waiting for the timer', async () => {
  const { uses, recorded } = start();
  for (let session = 1; session < 1000; session += 1) uses.add(use(session));
  expect(recorded).toHaveLength(0);
  uses.add(use(1000));
  expect(recorded).toHaveLength(1);
  await uses.flush();
  expect(recorded).toHaveLength(1);
});

test('a session that is used several times is recorded once', async () => {
  const { uses, recorded } = start();
  for (let time = 0; time < 2000; time += 1) uses.add(use(7));
  await uses.flush();
  expect(recorded).toHaveLength(1);
  expect(recorded[0]?.filter((value) => value === '7')).toHaveLength(1);
});

test('sessions with different idle timeouts are recorded with separate statements, each with the time of its first use', async () => {
  const { uses, recorded } = start();
  uses.add(use(1, 1000, 3600));
  uses.add(use(2, 2000, 600));
  uses.add(use(3, 3000, 3600));
  await uses.flush();
  expect(recorded).toHaveLength(2);
  const [hour, minutes] = recorded.map((values) => values.map(String));
  expect(hour).toEqual(expect.arrayContaining(['1,3', '1970-01-01T00:00:01.000Z', '3600 seconds']));
  expect(minutes).toEqual(expect.arrayContaining(['2', '1970-01-01T00:00:02.000Z', '600 seconds']));
});
