import { expect, test } from 'vitest';
import { findPrimary, type ServerState } from '../../src/db/primary-host.ts';

const never = new Promise<never>(() => {});
const soon = async (state: ServerState) => state;
/** Responds after all servers that respond soon. */
const later = async (state: ServerState) => {
  await new Promise((resolve) => setImmediate(resolve));
  return state;
};
const unreachable = async () => {
  throw Object.assign(new Error('refused'), { code: 'ECONNREFUSED' });
};
const primary = (timeline: number) => ({ standby: false, timeline });
const standby = { standby: true, timeline: 0 };

/** The index of the server that is chosen. */
const chosen = async (...servers: (() => Promise<ServerState>)[]) =>
  Number(await findPrimary(Object.keys(servers), (at) => (servers[Number(at)] ?? unreachable)()));

test('of two servers that respond as the primary, the one with the higher timeline is chosen, whichever responds first', async () => {
  expect(
    await chosen(
      () => soon(primary(4)),
      () => later(primary(5)),
    ),
  ).toBe(1);
  expect(
    await chosen(
      () => later(primary(4)),
      () => soon(primary(5)),
    ),
  ).toBe(1);
  expect(
    await chosen(
      () => later(primary(10)),
      () => soon(primary(9)),
    ),
  ).toBe(0);
});

test('of two primaries without a known timeline, the first to respond is chosen', async () => {
  expect(
    await chosen(
      () => later(primary(0)),
      () => soon(primary(0)),
    ),
  ).toBe(1);
});

test('a primary is chosen although another server hangs, is unreachable, or is a standby with a higher timeline', async () => {
  expect(
    await chosen(
      () => never,
      () => soon(primary(1)),
    ),
  ).toBe(1);
  expect(await chosen(unreachable, () => later(primary(1)))).toBe(1);
  expect(
    await chosen(
      () => soon({ ...standby, timeline: 9 }),
      () => later(primary(1)),
    ),
  ).toBe(1);
});

test('without a primary, the error of an unreachable server is thrown, or 25006 if all servers are standbys', async () => {
  await expect(chosen(() => soon(standby), unreachable)).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  await expect(
    chosen(
      () => soon(standby),
      () => later(standby),
    ),
  ).rejects.toMatchObject({ code: '25006' });
});
