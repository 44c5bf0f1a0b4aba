import { setTimeout as sleep } from 'node:timers/promises';
import postgres from 'postgres';
import type { Haproxy } from './haproxy.ts';
import type { Member } from './member.ts';
import type { PatroniCluster } from './patroni.ts';
import { trySignal } from './processes.ts';
import type { RedisSentinel } from './redis-sentinel.ts';
import type { TwoServices } from './service.ts';

export interface Clusters {
  postgres: PatroniCluster;
  redis: RedisSentinel;
  services: TwoServices;
  /** Null: the services connect to PostgreSQL themselves. */
  haproxy: Haproxy | null;
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
  /** Whether a process of the application ends, so that requests get no response. */
  endsProcess?: boolean;
}

export const faultNames = [
  'switchover',
  'kill',
  'freeze',
  'freeze-standby',
  'freeze-listeners',
  'partition',
  'partition-standby',
  'restart-servers',
  'restart-services',
  'redis-kill',
  'proxy-kill',
] as const;
export type FaultName = (typeof faultNames)[number];

/** The faults of the run in which the services connect through HAProxy. */
export const behindHaproxy: readonly FaultName[] = ['switchover', 'kill', 'proxy-kill'];

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
      { name: 'killed primary started again', run: () => primary.start(), repairs: true },
    ];
  },
  freeze: async ({ postgres }) => frozen('primary', await postgres.primary()),
  'freeze-standby': async ({ postgres }) =>
    frozen('synchronous standby', await postgres.synchronousStandby()),
  async 'freeze-listeners'({ postgres }) {
    const pids = await findListeners(await postgres.superuserUrl('accounts'));
    const signal = (name: NodeJS.Signals) => {
      for (const pid of pids) trySignal(pid, name);
    };
    return [
      { name: 'connections for notifications frozen', run: () => signal('SIGSTOP'), repairs: false },
      { name: 'connections for notifications resumed', run: () => signal('SIGCONT'), repairs: true },
    ];
  },
  partition: async ({ postgres }) => partitioned(postgres, 'primary', await postgres.primary()),
  'partition-standby': async ({ postgres }) =>
    partitioned(postgres, 'synchronous standby', await postgres.synchronousStandby()),
  async 'restart-servers'({ postgres }) {
    const primary = await postgres.primary();
    const standbys = postgres.members.filter((member) => member !== primary);
    const restartStandbys = async () => {
      for (const standby of standbys) await standby.restart();
    };
    return [
      { name: 'standbys restarted', run: restartStandbys, repairs: true },
      { name: 'primary restarted', run: () => primary.restart(), repairs: true },
    ];
  },
  async 'restart-services'({ services }) {
    return services.map((service, index) => ({
      name: `${index === 0 ? 'first' : 'second'} process restarted`,
      run: () => service.restart(),
      repairs: true,
      endsProcess: true,
    }));
  },
  async 'redis-kill'({ redis }) {
    const kill = await redis.prepareKill();
    return [
      { name: 'Redis primary killed', run: kill, repairs: false, affectsLimits: true },
      { name: 'killed Redis started again', run: () => redis.restart(), repairs: true },
    ];
  },
  async 'proxy-kill'({ haproxy }) {
    if (haproxy === null) return [];
    const outage = async () => {
      await haproxy.kill();
      await sleep(3000);
      haproxy.start();
    };
    return [{ name: 'HAProxy killed for 3 s', run: outage, repairs: true }];
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
  { name: `${what} resumed`, run: () => member.resume(), repairs: true },
];

const partitioned = (cluster: PatroniCluster, what: string, member: Member): Step[] => [
  { name: `${what} cut off`, run: () => cluster.partition(member), repairs: false },
  { name: `${what} reachable again`, run: () => cluster.healNetwork(), repairs: true },
];

/** Returns the process ids of the connections that receive notifications. */
async function findListeners(url: string): Promise<number[]> {
  const sql = postgres(url, { max: 1 });
  try {
    // The names of the other connections of the service end with the name of their pool.
    const rows = await sql`select pid from pg_stat_activity where application_name = 'latchkey'`;
    if (rows.length === 0) throw new Error('no process listens for notifications');
    return rows.map(({ pid }) => pid);
  } finally {
    await sql.end();
  }
}
