import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../support/test-database.ts';
import { exploreCaches, situations } from './support/explore-caches.ts';
import type { Operation } from './support/operation.ts';
import { textOf } from './support/replay.ts';
import { start } from './support/scheduler.ts';
import { type OpenStage, openStage } from './support/stage.ts';
import { openSecondInstance, type SecondInstance } from './support/two-instances.ts';

let database: TestDatabase;
let stage: OpenStage;
let second: SecondInstance;
beforeAll(async () => {
  database = await createTestDatabase();
  stage = await openStage(database.url, { overlaps: true });
  second = await openSecondInstance(stage.world);
});
afterAll(async () => {
  await second.close();
  await stage.close();
  await database.drop();
});

const endsOrChangesSessions = [
  'usr signs out',
  'usr ends all sessions',
  'usr renames',
  'sue demotes sam',
  'sue disables adm',
  'sue deletes usr',
  'kim completes the recovery',
  'housekeeping deletes expired sessions',
  'psql demotes sue',
];

test.each(endsOrChangesSessions)(
  'another instance with a filled session cache returns the sessions of the database after "%s"',
  async (name) => {
    const { findings, fromCache, schedules } = await exploreCaches(
      stage,
      second,
      stage.find(name)[0] as Operation,
    );
    expect(findings.map((finding) => textOf(finding))).toEqual([]);
    expect(schedules).toBe(situations.length);
    expect(fromCache).toBeGreaterThan(0);
  },
);

test('without a notification, the cache of another instance returns an ended session', async () => {
  const [ending] = stage.find('usr ends all sessions');
  await second.check();
  await stage.backend.begin();
  try {
    const run = await start((ending as Operation).run);
    while (run.next) await stage.backend.step(run);
    await second.lose();
    expect((await second.readSessions()).usrElsewhere).toBe('not_authenticated');
    // Otherwise, the tests above would try nothing.
    expect((await second.check()).usrElsewhere).not.toBe('not_authenticated');
  } finally {
    await stage.backend.restore();
  }
});
