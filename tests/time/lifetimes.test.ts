import { afterEach, expect, test } from 'vitest';
import { createLink, useLink } from '../features/support/recovery.ts';
import { signUp } from '../support/person.ts';
import { lifetimes, options } from './support/lifetimes.ts';
import { type Conditions, startWorld, type World } from './support/world.ts';

let world: World | undefined;
afterEach(async () => {
  await world?.close();
  world = undefined;
});

const conditions: [name: string, Conditions][] = [
  ['when daylight saving time begins', { at: '2026-03-08T06:58:30Z', zone: 'America/New_York' }],
  ['when daylight saving time ends', { at: '2026-11-01T05:58:30Z', zone: 'America/New_York' }],
  ['when a clock of 32 bits overflows', { at: '2038-01-19T03:13:30Z', zone: 'Australia/Lord_Howe' }],
  ['when an unsigned clock of 32 bits overflows', { at: '2106-02-07T06:27:30Z', zone: 'Asia/Kolkata' }],
  ['in the year 9999', { at: '9999-09-01T23:58:30Z', zone: 'Europe/Berlin' }],
  ['if the clock of the process is set back', { at: '2026-06-01T12:00:00Z', zone: 'UTC', jumpHours: -5 }],
  ['if the clock of the process is set forward', { at: '2026-06-01T12:00:00Z', zone: 'UTC', jumpHours: 5 }],
];

test.each(conditions)('each lifetime ends at the promised time, %s', async (_, given) => {
  world = await startWorld(given, options);
  const { goTo, jump } = world;
  const jumps = given.jumpHours !== undefined;
  const opened = [];
  for (const { open, ...lifetime } of lifetimes) {
    // The challenge of a ceremony contains its expiry by the clock of the process, so it moves with this clock.
    if (jumps && lifetime.clock === 'process') continue;
    opened.push({ ...lifetime, early: await open(world), late: await open(world) });
  }
  jump();
  const results: [name: string, before: boolean, after: boolean][] = [];
  for (const { name, seconds, early, late } of opened.sort((a, b) => a.seconds - b.seconds)) {
    await goTo(seconds - 1);
    const before = await early();
    await goTo(seconds + 1);
    results.push([name, before, await late()]);
  }
  expect(results).toEqual(opened.map(({ name }) => [name, true, false]));
});

test.each(conditions)('a delayed recovery link works only after the promised delay, %s', async (_, given) => {
  const day = 24 * 60 * 60;
  world = await startWorld(given, { ...options, assistedRecoveryDelaySeconds: day });
  const links = [await createLink(world, await signUp(world)), await createLink(world, await signUp(world))];
  world.jump();
  await world.goTo(day - 1);
  expect((await useLink(world.browser(), links[0]?.token ?? '')).status).toBe(409);
  await world.goTo(day + 1);
  expect((await useLink(world.browser(), links[1]?.token ?? '')).status).toBe(200);
});

test('a challenge and a service token no longer work after the clock of the process is set forward by five hours', async () => {
  world = await startWorld({ at: '2026-06-01T12:00:00Z', zone: 'UTC', jumpHours: 5 }, options);
  const challenges = lifetimes.filter(({ clock }) => clock === 'process');
  const opened = [];
  for (const { open } of challenges) opened.push(await open(world));
  world.jump();
  for (const works of opened) expect(await works()).toBe(false);
});
