import { execFileSync } from 'node:child_process';
import { dirname } from 'node:path';
import { createMember, type Member } from './member.ts';
import { passwords } from './patroni-settings.ts';
import type { Programs } from './programs.ts';
import { until } from './wait.ts';
import { freePorts, type Workspace } from './workspace.ts';

export interface PatroniCluster {
  readonly members: readonly Member[];
  readonly isSynchronous: boolean;
  primary(): Promise<Member>;
  /** The synchronous standby. With asynchronous replication: any standby. */
  synchronousStandby(): Promise<Member>;
  /**
   * Returns a function that asks Patroni to make the synchronous standby the primary. `patronictl switchover` sends the
   * same request.
   */
  prepareSwitchover(): Promise<() => void>;
  /**
   * Separates a member from etcd and from the other members, as if the network between them dropped all packets. The
   * service still reaches all members.
   */
  partition(member: Member): void;
  healNetwork(): void;
  /** Waits until all members replicate from the same primary, and one is the synchronous standby. */
  untilHealthy(): Promise<void>;
  /** The URL of a database for a role, with all members as hosts. */
  url(account: string, database: string): string;
  superuserUrl(database: string): Promise<string>;
}

/** A member in the response of Patroni's API. */
interface Reported {
  name: string;
  role: 'leader' | 'sync_standby' | 'replica';
  state: string;
  timeline: number;
}

/**
 * Before 3.0.3, Patroni with version 3 of etcd's protocol can overwrite the leader's key of another member,
 * so this function chooses version 2.
 */
function choosesProtocol(patroni: string): 'etcd3' | 'etcd' {
  const version = execFileSync(patroni, ['--version'], { encoding: 'utf8' });
  const [major = 0, minor = 0, patch = 0] = (version.match(/\d+/g) ?? []).map(Number);
  return major * 10_000 + minor * 100 + patch >= 30_003 ? 'etcd3' : 'etcd';
}

async function startEtcd(workspace: Workspace, etcd: string, protocol: string): Promise<number> {
  const [port = 0, peerPort = 0] = await freePorts(2);
  const [url, peerUrl] = [`http://127.0.0.1:${port}`, `http://127.0.0.1:${peerPort}`];
  workspace.start('etcd', [
    etcd,
    ...['--data-dir', await workspace.createFolder('etcd')],
    ...['--listen-client-urls', url, '--advertise-client-urls', url],
    ...['--listen-peer-urls', peerUrl, '--initial-advertise-peer-urls', peerUrl],
    ...['--initial-cluster', `default=${peerUrl}`],
    ...(protocol === 'etcd' ? ['--enable-v2'] : []),
  ]);
  await until('etcd starts', async () => (await answerOf(`${url}/health`)) !== null);
  return port;
}

export async function startPatroni(
  workspace: Workspace,
  programs: Programs,
  isSynchronous: boolean,
): Promise<PatroniCluster> {
  const etcdProtocol = choosesProtocol(programs.patroni);
  const etcdPort = await startEtcd(workspace, programs.etcd, etcdProtocol);
  const binaries = dirname(programs.postgres);
  const settings = { etcdPort, etcdProtocol, isSynchronous, binaries };
  const standbyRole = isSynchronous ? 'sync_standby' : 'replica';

  const members: Member[] = [];
  for (const name of ['pg1', 'pg2', 'pg3'])
    members.push(await createMember(workspace, programs.patroni, name, settings));

  /** Returns the members from the first Patroni that responds. */
  async function report(): Promise<Reported[]> {
    const answers = members.map(async ({ apiPort }) => {
      const answer = await answerOf(`http://127.0.0.1:${apiPort}/cluster`);
      if (answer === null) throw new Error('no answer');
      return (answer as { members: Reported[] }).members;
    });
    return Promise.any(answers).catch(() => []);
  }

  async function memberWith(role: Reported['role']): Promise<Member> {
    const name = (await report()).find((reported) => reported.role === role)?.name;
    const member = members.find((each) => each.name === name);
    if (!member) throw new Error(`Patroni reports no member with the role ${role}`);
    return member;
  }

  const isHealthy = (reported: Reported[]) =>
    reported.length === members.length &&
    reported.every(({ state }) => state === 'running' || state === 'streaming') &&
    new Set(reported.map(({ timeline }) => timeline)).size === 1 &&
    reported.filter(({ role }) => role === 'leader').length === 1 &&
    reported.filter(({ role }) => role === 'sync_standby').length === (isSynchronous ? 1 : 0);

  return {
    members,
    isSynchronous,
    primary: () => memberWith('leader'),
    synchronousStandby: () => memberWith(standbyRole),
    async prepareSwitchover() {
      const [leader, candidate] = [await memberWith('leader'), await memberWith(standbyRole)];
      const body = JSON.stringify({ leader: leader.name, candidate: candidate.name });
      const headers = { 'Content-Type': 'application/json' };
      // Does not wait for the response, which arrives only after the switchover.
      return () =>
        void fetch(`http://127.0.0.1:${leader.apiPort}/switchover`, { method: 'POST', headers, body }).catch(
          () => {},
        );
    },
    partition({ name, relays }) {
      for (const relay of Object.values(relays)) relay.cut();
      for (const other of members) if (other.name !== name) other.relays.postgres.cutStandby(name);
    },
    healNetwork() {
      for (const { relays } of members) for (const relay of Object.values(relays)) relay.heal();
    },
    untilHealthy: () =>
      until('the PostgreSQL cluster is healthy', async () => isHealthy(await report()), 240),
    url: (account, database) =>
      `postgresql://${account}@${members.map(({ port }) => `127.0.0.1:${port}`).join(',')}/${database}`,
    superuserUrl: async (database) =>
      `postgresql://postgres:${passwords.postgres}@127.0.0.1:${(await memberWith('leader')).port}/${database}`,
  };
}

/** Returns the parsed JSON of any response. Null: no response within two seconds. */
async function answerOf(url: string): Promise<unknown> {
  try {
    return await (await fetch(url, { signal: AbortSignal.timeout(2000) })).json();
  } catch {
    return null;
  }
}
