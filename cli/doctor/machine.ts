import bcrypt from 'bcrypt';
import type { Configuration } from 'latchkey';
import type { Check } from './check.ts';

/**
 * Measures bcrypt in CPU time, which other programs do not affect. Each password sign-in takes at least that long. The
 * other checks and the garbage collection of this process also take CPU time, so the shortest of three hashes counts.
 */
export async function examineBcrypt({ bcryptCost }: Configuration): Promise<Check> {
  const measured = [await hashMs(bcryptCost), await hashMs(bcryptCost), await hashMs(bcryptCost)];
  const ms = Math.round(Math.min(...measured));
  const name = 'Passwords';
  const message = `bcrypt at cost ${bcryptCost} takes ${ms} ms of CPU time on this machine`;
  if (ms > 1500) {
    return {
      name,
      level: 'warning',
      message,
      why: 'Each password sign-in takes at least this long, and concurrent sign-ins wait for each other.',
      fix:
        bcryptCost > 10
          ? `Set BCRYPT_COST=${Math.max(10, bcryptCost - Math.ceil(Math.log2(ms / 500)))}`
          : 'Use a faster machine: production needs at least cost 10',
    };
  }
  if (ms < 40) {
    return {
      name,
      level: 'warning',
      message,
      why: 'An attacker who steals the hashes can try passwords quickly.',
      fix: `Set BCRYPT_COST=${bcryptCost + Math.round(Math.log2(250 / Math.max(1, ms)))}`,
    };
  }
  return { name, level: 'ok', message };
}

async function hashMs(bcryptCost: number): Promise<number> {
  const before = process.cpuUsage();
  await bcrypt.hash('measure this', bcryptCost);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

const timeoutMs = 3000;

/** Checks whether browsers accept this relying party's passkeys at the additional origins (WebAuthn 5.11). */
export async function examineRelatedOrigins({ rpId, origins }: Configuration): Promise<Check> {
  const name = 'Related origins';
  const related = origins.slice(1);
  if (related.length === 0) return { name, level: 'ok', message: 'none' };
  const document = `https://${rpId}/.well-known/webauthn`;
  const failed = (message: string): Check => ({
    name,
    level: 'error',
    message,
    why: `Browsers reject this relying party’s passkeys at ${related.join(', ')}.`,
    fix: `Serve ${document}: app.use(createWellKnownRouter(auth).routes())`,
  });
  try {
    const response = await fetch(document, { signal: AbortSignal.timeout(timeoutMs) });
    if (!response.ok) return failed(`${document} returns ${response.status}`);
    const { origins: listed } = (await response.json()) as { origins?: unknown };
    const missing = related.filter((origin) => !(Array.isArray(listed) && listed.includes(origin)));
    if (missing.length > 0) return failed(`${document} does not list ${missing.join(', ')}`);
    return { name, level: 'ok', message: related.join(', ') };
  } catch (error) {
    const reason = error instanceof Error ? error.message : 'unknown error';
    return failed(`${document} cannot be read: ${reason}`);
  }
}
