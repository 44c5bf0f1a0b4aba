import bcrypt from 'bcrypt';
import type { Configuration } from 'latchkey';
import type { Check } from './check.ts';

/** How long a password takes here: the same as every login with one. */
export async function examineBcrypt({ bcryptCost }: Configuration): Promise<Check> {
  const began = performance.now();
  await bcrypt.hash('how long does this take', bcryptCost);
  const ms = Math.round(performance.now() - began);
  const name = 'Passwords';
  const message = `bcrypt at cost ${bcryptCost} takes ${ms} ms here`;
  if (ms > 1500) {
    return {
      name,
      level: 'warning',
      message,
      why: 'People wait for it at each password login, and a handful of them fill the queue.',
      mend: `Set BCRYPT_COST=${Math.max(10, bcryptCost - Math.ceil(Math.log2(ms / 500)))}`,
    };
  }
  if (ms < 40) {
    return {
      name,
      level: 'warning',
      message,
      why: 'Whoever steals the hashes guesses as fast.',
      mend: `Set BCRYPT_COST=${bcryptCost + Math.round(Math.log2(250 / Math.max(1, ms)))}`,
    };
  }
  return { name, level: 'ok', message };
}

const patienceMs = 3000;

/** Whether the processes can count together. */
export async function examineRedis({ redisUrl }: Configuration): Promise<Check> {
  const name = 'Redis';
  if (redisUrl === null) return { name, level: 'ok', message: 'not used: each process counts by itself' };
  const why = 'While it is away each process limits by itself, so several together let through more.';
  const ioredis = await import('ioredis').catch(() => null);
  if (ioredis === null) {
    const message = 'REDIS_URL is set and the package ioredis is not there';
    return { name, level: 'fault', message, why: 'The service does not start.', mend: 'npm install ioredis' };
  }
  const { host } = new URL(redisUrl);
  const client = new ioredis.Redis(redisUrl, {
    lazyConnect: true,
    connectTimeout: patienceMs,
    commandTimeout: patienceMs,
    retryStrategy: () => null,
    maxRetriesPerRequest: 0,
  });
  // Told through the promise, too.
  client.on('error', () => {});
  try {
    await client.connect();
    await client.ping();
    return { name, level: 'ok', message: `answers at ${host}` };
  } catch (error) {
    const told = error instanceof Error ? error.message : 'no answer';
    return {
      name,
      level: 'warning',
      message: `does not answer at ${host}: ${told}`,
      why,
      mend: 'Start it, or correct REDIS_URL',
    };
  } finally {
    client.disconnect();
  }
}

/** Whether browsers let the further origins use this relying party's passkeys (WebAuthn 5.11). */
export async function examineRelatedOrigins({ rpId, origins }: Configuration): Promise<Check> {
  const name = 'Related origins';
  const related = origins.slice(1);
  if (related.length === 0) return { name, level: 'ok', message: 'none' };
  const document = `https://${rpId}/.well-known/webauthn`;
  const fault = (message: string): Check => ({
    name,
    level: 'fault',
    message,
    why: `Browsers refuse this relying party’s passkeys at ${related.join(', ')}.`,
    mend: `Serve ${document}: app.use(createWellKnownRouter(auth).routes())`,
  });
  try {
    const response = await fetch(document, { signal: AbortSignal.timeout(patienceMs) });
    if (!response.ok) return fault(`${document} answers ${response.status}`);
    const { origins: listed } = (await response.json()) as { origins?: unknown };
    const missing = related.filter((origin) => !(Array.isArray(listed) && listed.includes(origin)));
    if (missing.length > 0) return fault(`${document} does not list ${missing.join(', ')}`);
    return { name, level: 'ok', message: related.join(', ') };
  } catch (error) {
    const told = error instanceof Error ? error.message : 'no answer';
    return fault(`${document} cannot be read: ${told}`);
  }
}
