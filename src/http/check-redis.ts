import ratelimit from 'koa-ratelimit';
import { second } from '../core/duration.ts';
import { createRedisClient } from './redis-client.ts';

const timeoutMs = 3 * second;

/**
 * Counts one request in Redis, with the commands that the rate limits use.
 *
 * @param url a valid `redisUrl`
 * @throws Error of ioredis, for example with a message that starts with `READONLY` (a replica), `MOVED` (a node of Redis
 *   Cluster) or `NOPERM` (a user without permission)
 * @throws ConfigurationError if the optional peer `ioredis` is not installed
 * @example await checkRedis('redis+sentinel://10.0.0.1:26379,10.0.0.2:26379/primary');
 */
export async function checkRedis(url: string): Promise<void> {
  const client = await createRedisClient(url);
  let reason = new Error(`no answer within ${timeoutMs / second} seconds`);
  client.on('error', (error: Error) => {
    reason = error;
  });
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(reason), timeoutMs);
  });
  try {
    await Promise.race([client.connect(), late]);
    const count = ratelimit({
      driver: 'redis',
      db: client as never,
      namespace: 'latchkey:check',
      id: () => 'check',
      max: 1000,
      duration: second,
      disableHeader: true,
    });
    await Promise.race([count({ set: () => {} } as never, async () => {}), late]);
  } catch (error) {
    // If the connection is lost, this error contains no reason. ioredis has emitted the reason as an `error`
    // event.
    throw /Connection is closed|is not writable/.test((error as Error).message) ? reason : error;
  } finally {
    clearTimeout(timer);
    client.disconnect();
  }
}
