import { Socket } from 'node:net';
import { beforeEach, vi } from 'vitest';
import { type HeldTimeouts, holdTimeouts } from './held-timeouts.ts';

/**
 * How long the service waits for one command, for the answer to a request, for the first connection, and for a connection
 * on which Redis does not respond.
 */
export const redisTimeouts = { commandMs: 250, answerMs: 500, startMs: 1500, socketMs: 2000 };

/** How long ioredis waits for a TCP connection. It sets this timeout on the socket. */
const connectMs = 1000;

/**
 * Holds the timeouts with these delays during each test, because an overloaded machine can need longer. For the same
 * reason, a TCP connection to Redis has no time limit.
 */
export function holdRedisTimeouts(...delays: number[]): HeldTimeouts {
  // Before ioredis connects again, it waits for a time with a random part. If that time equaled a held timeout, the client
  // would never connect again. With this value, it waits for 60, 110, 210, 410, 810, 1610, 3210 or 5010 ms.
  beforeEach(() => {
    const random = vi.spyOn(Math, 'random').mockReturnValue(0.05);
    const { setTimeout } = Socket.prototype;
    const setting = vi.spyOn(Socket.prototype, 'setTimeout').mockImplementation(function (
      this: Socket,
      ms,
      act,
    ) {
      return setTimeout.call(this, ms === connectMs ? 0 : ms, act);
    });
    return () => {
      random.mockRestore();
      setting.mockRestore();
    };
  });
  return holdTimeouts(...delays);
}
