import { readFile } from 'node:fs/promises';
import { arch, cpus, platform, totalmem } from 'node:os';

export interface Host {
  processor: string;
  cores: number;
  memoryGigabytes: number;
  system: string;
  node: string;
  date: string;
}

export interface Machine extends Host {
  postgresql: string;
  pinned: string;
  /** The versions of the contenders, and the machine, system and Node that they run on. */
  versions: Record<string, string>;
}

const contenders = ['better-auth', '@better-auth/passkey', 'express', 'express-session', 'passport', 'pg'];
const ours = ['koa', 'postgres', '@simplewebauthn/server'];

/** @param cores the number of cores, counted before this process was pinned to one core */
export async function describeMachine(cores: number, pinned: string, postgresql: string): Promise<Machine> {
  const versions: Record<string, string> = { latchkey: await versionIn('package.json') };
  for (const name of contenders) versions[name] = await versionIn(`bench/node_modules/${name}/package.json`);
  for (const name of ours) versions[name] = await versionIn(`node_modules/${name}/package.json`);
  return { ...describeHost(cores), postgresql, pinned, versions };
}

export const describeHost = (cores: number): Host => ({
  processor: cpus()[0]?.model.trim() ?? 'unknown',
  cores,
  memoryGigabytes: Math.round(totalmem() / 2 ** 30),
  system: `${platform()} ${arch()}`,
  node: process.version,
  date: new Date().toISOString(),
});

const versionIn = async (path: string): Promise<string> => JSON.parse(await readFile(path, 'utf8')).version;
