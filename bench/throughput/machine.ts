import { readFile } from 'node:fs/promises';
import { arch, cpus, platform, totalmem } from 'node:os';

export interface Machine {
  processor: string;
  cores: number;
  memoryGigabytes: number;
  system: string;
  node: string;
  postgresql: string;
  pinned: string;
  date: string;
  /** Of what is measured and of what it stands on. */
  versions: Record<string, string>;
}

const contenders = ['better-auth', '@better-auth/passkey', 'express', 'express-session', 'passport', 'pg'];
const ours = ['koa', 'postgres', '@simplewebauthn/server'];

/** @param cores before this process was pinned to one of them */
export async function describeMachine(cores: number, pinned: string, postgresql: string): Promise<Machine> {
  const versions: Record<string, string> = { latchkey: await versionIn('package.json') };
  for (const name of contenders) versions[name] = await versionIn(`bench/node_modules/${name}/package.json`);
  for (const name of ours) versions[name] = await versionIn(`node_modules/${name}/package.json`);
  return {
    processor: cpus()[0]?.model.trim() ?? 'unknown',
    cores,
    memoryGigabytes: Math.round(totalmem() / 2 ** 30),
    system: `${platform()} ${arch()}`,
    node: process.version,
    postgresql,
    pinned,
    date: new Date().toISOString(),
    versions,
  };
}

const versionIn = async (path: string): Promise<string> => JSON.parse(await readFile(path, 'utf8')).version;
