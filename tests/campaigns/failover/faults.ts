import { setTimeout as sleep } from 'node:timers/promises';
import type { Member, PatroniCluster } from './patroni.ts';
import type { RedisSentinel } from './redis-sentinel.ts';

export interface Clusters {
  postgres: PatroniCluster;
  redis: RedisSentinel;
}

/** A fault, or the repair of a fault. Each step is one row of the table. */
export interface Step {
  name: string;
  /** Causes the fault. Returns when the fault exists, not when the clusters have recovered. */
  run(): Promise<void> | void;
  /** Whether all servers work again after this step. */
  repairs: boolean;
  /** Whether the attempts against a rate limit are also counted at once, before the failover of Redis. */
  affectsLimits?: boolean;
}

export const faultNames = ['switchover', 'kill', 'freeze', 'freeze-standby', 'redis-kill'] as const;
export type FaultName = (typeof faultNames)[number];

/** Prepares the steps of a fault. The servers that the steps affect depend on the current state of the clusters. */
export const prepareSteps: Record<FaultName, (clusters: Clusters) => Promise<Step[]>> = {
  async switchover({ postgres }) {
    // Asks for the roles before the time starts.
    const switchOver = await postgres.prepareSwitchover();
    return [{ name: 'switchover', run: switchOver, repairs: true }];
  },
  async kill({ postgres }) {
    const primary = await postgres.primary();
    const kill = () => (postgres.isSynchronous ? primary.kill() : killBeforeReplication(primary));
    return [
      { name: 'primary killed', run: kill, repairs: false },
      { name: '… started again', run: () => primary.start(), repairs: true },
    ];
  },
  freeze: async ({ postgres }) => frozen('primary', await postgres.primary()),
  'freeze-standby': async ({ postgres }) =>
    frozen('synchronous standby', await postgres.synchronousStandby()),
  'redis-kill': async ({ redis }) => {
    const kill = await redis.prepareKill();
    return [
      { name: 'Redis primary killed', run: kill, repairs: false, affectsLimits: true },
      { name: '… started again', run: () => redis.restart(), repairs: true },
    ];
  },
};

/** Kills the primary two seconds after it has stopped sending changes, as if the network had been slow. */
async function killBeforeReplication(primary: Member): Promise<void> {
  primary.holdReplication();
  await sleep(2000);
  await primary.kill();
}

const frozen = (what: string, member: Member): Step[] => [
  { name: `${what} frozen`, run: () => member.freeze(), repairs: false },
  { name: '… resumed', run: () => member.resume(), repairs: true },
];
