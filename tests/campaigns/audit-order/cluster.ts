import { execFileSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import postgres from 'postgres';
import { freePorts, type Program, type Workspace } from '../failover/workspace.ts';

/** A PostgreSQL server of the campaign. */
export interface Cluster {
  url: string;
  port: number;
  folder: string;
  server: Program;
}

const binaries = '/usr/lib/postgresql';
const newest = () =>
  readdirSync(binaries)
    .sort((a, b) => Number(a) - Number(b))
    .at(-1) ?? '';
/** The folder with the programs of the newest PostgreSQL from a Debian package. */
export const newestBinaries = (): string => `${binaries}/${newest()}/bin`;
const path = (program: string) => `${newestBinaries()}/${program}`;

/** Runs a program of PostgreSQL to its end, and returns its output. */
export const run = (
  workspace: Workspace,
  program: string,
  options: readonly string[],
  input?: string,
): string =>
  execFileSync(path(program), options, { ...workspace.account, encoding: 'utf8', maxBuffer: 2 ** 30, input });

export async function createCluster(workspace: Workspace, name: string): Promise<Cluster> {
  const folder = await workspace.createFolder(name);
  run(workspace, 'initdb', ['-D', folder, '-U', 'postgres', '-A', 'trust']);
  return startCluster(workspace, name, folder);
}

/** Copies a server, which becomes a standby of it. */
export async function createStandby(workspace: Workspace, name: string, of: Cluster): Promise<Cluster> {
  const folder = await workspace.createFolder(name);
  run(workspace, 'pg_basebackup', [
    '-D',
    folder,
    '-U',
    'postgres',
    '-h',
    '127.0.0.1',
    '-p',
    `${of.port}`,
    '-R',
    '-c',
    'fast',
  ]);
  return startCluster(workspace, name, folder);
}

async function startCluster(workspace: Workspace, name: string, folder: string): Promise<Cluster> {
  const [port = 0] = await freePorts(1);
  const settings = [
    `port=${port}`,
    'listen_addresses=127.0.0.1',
    `unix_socket_directories=${folder}`,
    'max_connections=60',
  ];
  const server = workspace.start(name, [
    path('postgres'),
    '-D',
    folder,
    ...settings.flatMap((each) => ['-c', each]),
  ]);
  const url = `postgresql://postgres@127.0.0.1:${port}/postgres`;
  for (;;) {
    const client = postgres(url, { max: 1, onnotice: () => {} });
    const isUp = await client`select 1`.then(
      () => true,
      () => false,
    );
    await client.end({ timeout: 1 });
    if (isUp) return { url, port, folder, server };
    if (server.hasExited()) throw new Error(`${name} has ended`);
  }
}
