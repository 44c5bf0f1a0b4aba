import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { expect, test } from 'vitest';
import { createTestDatabase } from '../../support/test-database.ts';
import { commandsOn } from './support/command.ts';

test('a command does not connect to Redis, because operators have no rate limits', async () => {
  const database = await createTestDatabase();
  let connections = 0;
  const redis = createServer((socket) => {
    connections += 1;
    socket.destroy();
  }).listen(0, '127.0.0.1');
  await once(redis, 'listening');
  const REDIS_URL = `redis://127.0.0.1:${(redis.address() as AddressInfo).port}`;
  const { exitCode, stderr } = await commandsOn(() => database)('users list', { REDIS_URL });
  redis.close();
  await database.drop();
  expect([exitCode, stderr, connections]).toEqual([0, '', 0]);
});
