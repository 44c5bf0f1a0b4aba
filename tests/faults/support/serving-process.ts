import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { createAgent, type TestAgent } from '../../support/agent.ts';
import { bundleProgram } from '../../support/program-bundle.ts';
import { origin, secret } from '../../support/test-service.ts';

const repository = fileURLToPath(new URL('../../../', import.meta.url));

/** The service in a separate process, so a test can observe a crash. */
export interface ServingProcess {
  url: string;
  browser(): TestAgent;
  /** Returns the exit code and stderr if the process has exited, otherwise null. */
  exitReport(): string | null;
  stop(): Promise<void>;
}

/**
 * @param adapter how the process connects: with the URL, a postgres.js client or a `pg` pool
 * @param options the options of the postgres.js client
 */
export async function startServing(
  adapter: 'url' | 'postgres' | 'pg',
  databaseUrl: string,
  options: object = {},
): Promise<ServingProcess> {
  const path = 'tests/faults/support/serving-program.ts';
  const script = await bundleProgram(path, `serving-${crypto.randomUUID()}.mjs`);
  const child = spawn(process.execPath, [script, adapter, databaseUrl, secret, JSON.stringify(options)], {
    cwd: repository,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let errors = '';
  child.stderr.on('data', (chunk) => (errors += chunk));
  const exit = once(child, 'exit');
  const port = await Promise.race([once(child.stdout, 'data').then(String), exit.then(() => null)]);
  if (port === null) throw new Error(`the service did not start:\n${errors}`);
  const url = `http://127.0.0.1:${port.trim()}`;
  return {
    url,
    browser: () => createAgent(url, origin),
    exitReport: () =>
      child.exitCode === null && child.signalCode === null
        ? null
        : `exit ${child.exitCode ?? child.signalCode}\n${errors}`,
    async stop() {
      child.kill('SIGKILL');
      await exit;
      rmSync(script, { force: true });
    },
  };
}
