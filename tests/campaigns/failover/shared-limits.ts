import type { Random } from './random.ts';
import type { TwoServices } from './service.ts';

/** The default budget of an IP address for recovery codes, within 15 minutes. */
export const allowedAttempts = 20;

/**
 * Tries wrong recovery codes from one new IP address. Each process gets as many attempts as the budget
 * allows.
 *
 * @returns how many attempts the processes accepted together. If they share the limit, at most `allowedAttempts`.
 */
export async function countAcceptedAttempts(services: TwoServices, random: Random): Promise<number> {
  const address = `198.18.${random.below(256)}.${random.below(256)}`;
  let accepted = 0;
  for (let attempt = 0; attempt < allowedAttempts; attempt += 1) {
    for (const service of services) {
      const body = { username: `missing-${attempt}`, code: 'AAAA-AAAA-AAAA-AAAA' };
      const answer = await service
        .browser()
        .post('/auth/recovery/codes/use', body, { 'X-Forwarded-For': address })
        .catch(() => null);
      if (answer !== null && answer.status !== 429) accepted += 1;
    }
  }
  return accepted;
}
