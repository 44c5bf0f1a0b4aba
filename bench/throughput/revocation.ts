import type { Revocation } from '../driver/revocation.ts';
import { latchkey } from './contenders.ts';
import { type Driver, startContender } from './processes.ts';
import type { Settings } from './settings.ts';

/** Measures how long a process still accepts a session that has ended on another process with the same database. */
export async function measureRevocation(
  driver: Driver,
  command: string[],
  databaseUrl: string,
  { revocations: samples }: Settings,
): Promise<Revocation> {
  const here = await startContender(command, latchkey, databaseUrl);
  const there = await startContender(command, latchkey, databaseUrl);
  try {
    const { profile, name: people } = latchkey;
    const ports = { port: here.port, otherPort: there.port };
    return await driver.do('revocation', { profile, people, ...ports, samples });
  } finally {
    await here.stop();
    await there.stop();
  }
}
