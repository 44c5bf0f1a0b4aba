import { fileURLToPath } from 'node:url';
import { createAgent, type TestAgent } from '../../support/agent.ts';
import { until } from './wait.ts';
import { freePorts, type Workspace } from './workspace.ts';

export const origin = 'http://localhost:3000';

/** A process of the application. */
export interface Service {
  readonly name: string;
  readonly pid: number;
  /** Returns a browser, which can start with a copy of these cookies. */
  browser(cookies?: ReadonlyMap<string, string>): TestAgent;
  hasExited(): boolean;
  /** Ends the process with SIGTERM, and starts it again. Returns when it is ready. */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

export type TwoServices = readonly [Service, Service];

const program = fileURLToPath(new URL('service-program.js', import.meta.url));

async function startService(
  workspace: Workspace,
  name: string,
  env: Record<string, string>,
): Promise<Service> {
  const [port = 0] = await freePorts(1);
  const start = () => workspace.start(name, [process.execPath, program], { ...env, PORT: `${port}` });
  let running = start();
  let isRestarting = false;
  const hasExited = () => !isRestarting && running.hasExited();
  const browser = (cookies: ReadonlyMap<string, string> = new Map()) =>
    createAgent(`http://127.0.0.1:${port}`, origin, new Map(cookies));
  const untilReady = () =>
    until(`${name} is ready`, async () => {
      if (running.hasExited()) throw new Error(`${name} has ended`);
      const answer = await browser()
        .get('/readyz')
        .catch(() => null);
      return answer?.status === 200;
    });
  await untilReady();
  return {
    name,
    get pid() {
      return running.pid;
    },
    browser,
    hasExited,
    async restart() {
      isRestarting = true;
      process.kill(running.pid, 'SIGTERM');
      await until(`${name} ends after SIGTERM`, running.hasExited, 15);
      running = start();
      isRestarting = false;
      await untilReady();
    },
    stop: () => running.kill(),
  };
}

/** @param envOf returns the environment of the process with a name */
export async function startTwoServices(
  workspace: Workspace,
  name: string,
  envOf: (name: string) => Record<string, string>,
): Promise<TwoServices> {
  const start = (process: string) => startService(workspace, process, envOf(process));
  return [await start(`${name}-1`), await start(`${name}-2`)];
}
