import { quantileOf } from '../throughput/summary.ts';
import { newBrowser, requestOf } from './browser.ts';
import { openConnection } from './http-connection.ts';
import type { Person } from './people.ts';
import type { Profile } from './profiles/profile.ts';

export interface Revocation {
  samples: number;
  p50: number;
  p99: number;
  slowest: number;
}

/**
 * A session ends on one process. Measures how long another process, which has cached the session, still accepts the
 * session. The time begins when the response to the logout arrives. The resolution is one request.
 */
export async function measureRevocation(
  profile: Profile,
  [port, otherPort]: [number, number],
  people: Person[],
  samples: number,
): Promise<Revocation> {
  const [here, there] = [await openConnection(port), await openConnection(otherPort)];
  const latencies: number[] = [];
  for (let sample = 0; sample < samples; sample += 1) {
    const browser = newBrowser(here);
    await profile.logIn?.(browser, (people[sample % people.length] as Person).authenticator);
    const check = Buffer.from(requestOf('GET', '/me', browser.cookies));
    for (let time = 0; time < 2; time += 1) {
      const { status } = await there.ask(check);
      if (status !== 200) throw new Error(`a valid session was rejected: ${status}`);
    }
    await profile.logOut?.(browser);
    const ended = performance.now();
    while ((await there.ask(check)).status !== 401);
    latencies.push(performance.now() - ended);
  }
  here.close();
  there.close();
  const sorted = Float64Array.from(latencies).sort();
  return {
    samples,
    p50: quantileOf(sorted, 0.5),
    p99: quantileOf(sorted, 0.99),
    slowest: quantileOf(sorted, 1),
  };
}
