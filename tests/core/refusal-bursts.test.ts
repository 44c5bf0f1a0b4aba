import { describe, expect, test } from 'vitest';
import {
  type AnonymousRefusal,
  createRefusalBursts,
  type RefusalBurst,
} from '../../src/core/refusal-bursts.ts';

const threshold = 10;
const countBursts = () => createRefusalBursts(() => new Date(0), threshold);

/** A refusal from an IP address of its own, about a passkey of its own. */
const refusal = (index: number): AnonymousRefusal => ({
  event: 'passkey.login',
  reason: 'signature_invalid',
  actor: null,
  target: { type: 'passkey', id: `passkey-${index}`, name: `user-${index}` },
  ip: `address-${index}`,
});

async function recordAll(bursts: ReturnType<typeof countBursts>): Promise<RefusalBurst[]> {
  const recorded: RefusalBurst[] = [];
  await bursts.record(async (burst) => recorded.push(burst));
  return recorded;
}

const totalOf = (bursts: readonly RefusalBurst[]) => bursts.reduce((sum, { count }) => sum + count, 0);

describe('the memory of the counters is bounded:', () => {
  test('100,000 refusals about 100,000 passkeys become 300 events and 201 bursts', async () => {
    const bursts = countBursts();
    let single = 0;
    for (let index = 0; index < 100_000; index += 1) if (!bursts.count(refusal(index))) single += 1;
    const recorded = await recordAll(bursts);
    expect([single, recorded.length]).toEqual([300, 201]);
    expect(single + totalOf(recorded)).toBe(100_000);
  });

  test('if bursts cannot be recorded, at most two sets of bursts wait', async () => {
    const bursts = countBursts();
    const failing = () => Promise.reject(new Error('no database'));
    let counted = 0;
    for (let round = 0; round < 5; round += 1) {
      for (let index = 0; index < 2000; index += 1) if (bursts.count(refusal(index))) counted += 1;
      await expect(bursts.record(failing)).rejects.toThrow('no database');
    }
    expect(bursts.unrecorded).toBe(counted);
    const recorded = await recordAll(bursts);
    expect(recorded.length).toBe(2 * 201);
    expect(totalOf(recorded)).toBe(counted);
    expect(bursts.unrecorded).toBe(0);
  });
});

test('if the clock is set back, refusals are recorded one by one again', () => {
  let now = 10 * 365 * 86_400_000;
  const bursts = createRefusalBursts(() => new Date(now), threshold);
  const alone = () =>
    Array.from({ length: 20 }, () => bursts.count(refusal(0))).filter((counted) => !counted);
  expect(alone()).toHaveLength(threshold);
  expect(alone()).toHaveLength(0);
  now = 0;
  expect(alone()).toHaveLength(threshold);
});
