import type { AuthServiceOptions } from 'latchkey';
import { afterEach } from 'vitest';
import { startSecondInstance } from './second-instance.ts';
import type { ServiceOn } from './service-on.ts';
import type { TestService } from './test-service.ts';

/**
 * Starts instances with rate limits and a stopped clock, which `turnClock` moves. Closes the instances after each
 * test.
 */
export function limitedServices() {
  const running: ServiceOn[] = [];
  let now = Date.now();
  afterEach(async () => {
    for (const instance of running.splice(0)) await instance.close();
  });
  return {
    async start(
      service: TestService,
      options: AuthServiceOptions,
      before?: (statement: string) => unknown,
    ): Promise<ServiceOn> {
      const clock = () => new Date(now);
      const instance = await startSecondInstance(service, { rateLimit: true, clock, ...options }, before);
      running.push(instance);
      return instance;
    },
    turnClock({ seconds }: { seconds: number }): void {
      now += Math.round(seconds * 1000);
    },
  };
}
