import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Job, JobAnswer, JobName, Jobs } from '../driver/jobs.ts';
import type { Contender } from './contenders.ts';

const program = (path: string) => fileURLToPath(new URL(`${path}.js`, import.meta.url));

/** A server in a separate process. */
export interface Server {
  port: number;
  /** Returns the resident memory in bytes. */
  rss(): Promise<number>;
  /** Sends a message and waits for the reply. */
  ask<Answer>(message: object): Promise<Answer>;
  /** The CPU time of all threads since the start, in milliseconds. Null if the system does not report it. */
  used(): number | null;
  stop(): Promise<void>;
}

/** @param command runs a program in Node, pinned to a core */
export async function startServer(
  command: string[],
  name: string,
  args: string[],
  env: Record<string, string>,
): Promise<Server> {
  const child = start([...command, program(`servers/${name}`), ...args], env);
  const { port } = await nextMessage<{ port: number }>(child, name);
  const ask = <Answer>(message: object) => {
    child.send(message);
    return nextMessage<Answer>(child, name);
  };
  return {
    port,
    ask,
    rss: async () => (await ask<{ rss: number }>({})).rss,
    used: () => usedBy(child.pid),
    stop: () => stop(child),
  };
}

export const startContender = (command: string[], contender: Contender, databaseUrl: string) =>
  startServer(command, contender.server, contender.args, { ...contender.env, DATABASE_URL: databaseUrl });

/** Lets a contender create its tables. */
export async function prepare({ server, env }: Contender, databaseUrl: string): Promise<void> {
  const child = start([process.execPath, program(`servers/${server}`), 'prepare'], {
    ...env,
    DATABASE_URL: databaseUrl,
  });
  const [code] = await once(child, 'exit');
  if (code !== 0) throw new Error(`Preparing ${server} failed with exit code ${code}.`);
}

export interface Driver {
  do<Name extends JobName>(name: Name, takes: Jobs[Name]['takes']): Promise<Jobs[Name]['gives']>;
  stop(): Promise<void>;
}

/** The process that generates the load, one job at a time. */
export function startDriver(): Driver {
  const child = start([process.execPath, program('driver/main')], {});
  return {
    async do(name, takes) {
      child.send({ name, takes } satisfies Job);
      const answer = await nextMessage<JobAnswer>(child, 'the driver');
      if ('error' in answer) throw new Error(`${name}: ${answer.error}`);
      return answer.result as Jobs[typeof name]['gives'];
    },
    stop: () => stop(child),
  };
}

function start([command = '', ...args]: string[], env: Record<string, string>): ChildProcess {
  return spawn(command, args, {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    env: { PATH: process.env.PATH, NODE_ENV: 'production', ...env },
  });
}

function nextMessage<Message>(child: ChildProcess, name: string): Promise<Message> {
  return new Promise((resolve, reject) => {
    const onMessage = (message: unknown) => {
      child.off('exit', onExit);
      resolve(message as Message);
    };
    const onExit = (code: number | null) => {
      child.off('message', onMessage);
      reject(new Error(`${name} ended with exit code ${code}.`));
    };
    child.once('message', onMessage);
    child.once('exit', onExit);
  });
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  if (child.connected) child.disconnect();
  child.kill('SIGTERM');
  await exited;
}

/** Linux counts CPU time in hundredths of a second. */
function usedBy(pid: number | undefined): number | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return (Number(fields[11]) + Number(fields[12])) * 10;
  } catch {
    return null;
  }
}
