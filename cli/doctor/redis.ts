import { type Configuration, ConfigurationError, checkRedis } from 'latchkey';
import type { Check } from './check.ts';

const why = 'Each process has its own rate limits, so several processes allow more attempts.';

/** Checks whether processes can share rate limits through Redis. */
export async function examineRedis({ redisUrl }: Configuration): Promise<Check> {
  const name = 'Redis';
  if (redisUrl === null)
    return { name, level: 'ok', message: 'not used, so each process has its own rate limits' };
  // The hosts and ports, without credentials.
  const place = redisUrl.replace(/^[^/]*\/\/(?:[^@/]*@)?([^/]+).*$/, '$1');
  try {
    await checkRedis(redisUrl);
    return { name, level: 'ok', message: `reachable at ${place}` };
  } catch (error) {
    if (error instanceof ConfigurationError) {
      const message = 'REDIS_URL is set, but the package ioredis is not installed';
      return {
        name,
        level: 'error',
        message,
        why: 'The service does not start.',
        fix: 'npm install ioredis',
      };
    }
    const reason = error instanceof Error ? error.message : 'unknown error';
    const fault = faults.find(({ matches }) => matches.test(reason));
    if (fault) return { name, level: 'error', message: `${place} ${fault.message}`, why, fix: fault.fix };
    const message = `unreachable at ${place}: ${reason}`;
    return { name, level: 'warning', message, why, fix: 'Start Redis, or correct REDIS_URL' };
  }
}

/** Errors of servers that respond, but cannot count requests. The user must correct the configuration. */
const faults = [
  {
    matches: /READONLY|EXECABORT/,
    message: 'is a replica, which rejects changes',
    fix: 'Set REDIS_URL to the primary, or to the Sentinels: redis+sentinel://host1:port,host2:port/name-of-the-primary',
  },
  {
    matches: /MOVED|CLUSTERDOWN|CROSSSLOT/,
    message: 'belongs to a Redis Cluster',
    fix: 'Set REDIS_URL to the cluster: redis+cluster://host1:port,host2:port',
  },
  {
    matches: /cluster support disabled/,
    message: 'does not belong to a Redis Cluster',
    fix: 'Set REDIS_URL to the server: redis://host:port',
  },
  {
    matches: /unknown command|NOPERM/i,
    message: 'does not allow the commands that rate limits need',
    fix: 'Allow the commands evalsha, eval, zadd, zcard, zrange, zremrangebyrank, zremrangebyscore, exists and pexpire',
  },
  {
    matches: /NOAUTH|WRONGPASS/,
    message: 'rejects the user or the password',
    fix: 'Correct the user and the password in REDIS_URL: redis://user:password@host:port',
  },
] as const;
