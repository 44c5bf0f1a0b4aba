import { readFileSync } from 'node:fs';
import { chown, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type ClusterSettings, patroniSettings } from './patroni-settings.ts';
import { signalNamed, signalTree, trySignal } from './processes.ts';
import { type Relay, startRelay } from './relay.ts';
import { becomesTrue } from './wait.ts';
import { freePorts, type Program, type Workspace } from './workspace.ts';

/** One PostgreSQL server with its Patroni. */
export interface Member {
  readonly name: string;
  readonly port: number;
  readonly apiPort: number;
  /** Where the other members and etcd reach this member, and where it reaches etcd. Clients do not use the relays. */
  readonly relays: { readonly postgres: Relay; readonly api: Relay; readonly etcd: Relay };
  /** Kills PostgreSQL and Patroni, as if the machine had lost its power. */
  kill(): Promise<void>;
  /** Suspends all processes. The operating system keeps the connections open. */
  freeze(): void;
  /** Suspends the processes of PostgreSQL that send changes to standbys. */
  holdReplication(): void;
  resume(): void;
  /** Starts Patroni, which starts PostgreSQL. */
  start(): void;
  /** Asks Patroni to restart PostgreSQL, as `patronictl restart` does. Returns when PostgreSQL has started. */
  restart(): Promise<void>;
}

/** Creates a member and starts it. */
export async function createMember(
  workspace: Workspace,
  program: string,
  name: string,
  cluster: ClusterSettings,
): Promise<Member> {
  const [port = 0, apiPort = 0] = await freePorts(2);
  const [postgres, api, etcd] = await Promise.all([port, apiPort, cluster.etcdPort].map(startRelay));
  if (!postgres || !api || !etcd) throw new Error('the relays did not start');
  const relays = { postgres, api, etcd };
  const folder = await workspace.createFolder(name);
  const file = join(folder, 'patroni.yml');
  const publicPorts = { postgres: postgres.port, api: api.port, etcd: etcd.port };
  await writeFile(file, patroniSettings({ ...cluster, name, port, apiPort, publicPorts, folder }));
  if (workspace.account) await chown(file, workspace.account.uid, workspace.account.gid);
  let patroni: Program;
  const postmaster = () => postmasterOf(join(folder, 'data'));
  const signal = (name: NodeJS.Signals) => {
    signalTree(patroni.pid, name);
    const pid = postmaster();
    if (pid !== null) signalTree(pid, name);
  };
  const start = () => {
    patroni = workspace.start(name, [program, file]);
  };
  workspace.onRemove(async () => {
    const pid = postmaster();
    if (pid === null) return;
    signalTree(pid, 'SIGCONT');
    // An immediate shutdown, which removes the shared memory.
    trySignal(pid, 'SIGQUIT');
    if (!(await becomesTrue(() => !trySignal(pid, 0), 10))) signalTree(pid, 'SIGKILL');
  });
  start();
  return {
    name,
    port,
    apiPort,
    relays,
    start,
    freeze: () => signal('SIGSTOP'),
    resume: () => signal('SIGCONT'),
    holdReplication: () => signalNamed(postmaster() ?? process.pid, 'walsender', 'SIGSTOP'),
    async kill() {
      const pid = postmaster();
      const ended = patroni.kill();
      if (pid !== null) signalTree(pid, 'SIGKILL');
      await ended;
    },
    async restart() {
      const url = `http://127.0.0.1:${apiPort}/restart`;
      const answer = await fetch(url, { method: 'POST', body: '{}' });
      if (!answer.ok) throw new Error(`Patroni did not restart ${name}: ${await answer.text()}`);
    },
  };
}

/** Returns the process id of PostgreSQL, or null if it does not run. */
function postmasterOf(data: string): number | null {
  try {
    const pid = Number(readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n')[0]);
    return trySignal(pid, 0) ? pid : null;
  } catch {
    return null;
  }
}
