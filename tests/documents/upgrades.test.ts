import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { openSchema } from 'latchkey';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { createTestDatabase } from '../support/test-database.ts';
import { readGuide } from './support/guide.ts';
import { createFolder, runShell } from './support/shell-blocks.ts';

const guide = readGuide('docs/guides/upgrades.md');

/** The first check of each process fails. */
const failsOnce = (name: string) => `
  if [ -e "$STATE/${name}" ]; then exit 0; fi
  touch "$STATE/${name}"
  exit 1`;

describe('the commands of the guide', () => {
  test('migrate an empty database to the newest version', async () => {
    const database = await createTestDatabase({ empty: true });
    const code = guide
      .block('@db/app latchkey migrate')
      .replace('postgresql://latchkey_owner:…@db/app', database.url);
    const schema = openSchema(database.url);
    expect((await schema.read()).pending).not.toEqual([]);
    expect(await runShell(code)).toMatchObject({ exitCode: 0 });
    expect((await schema.read()).pending).toEqual([]);
    await schema.close();
    await database.drop();
  });

  test('restart one process after the other, each after the earlier one is ready', async () => {
    const STATE = createFolder();
    const { exitCode, stdout } = await runShell(guide.block('systemctl restart'), {
      env: { STATE },
      programs: {
        systemctl: 'echo "systemctl $@"',
        sleep: 'echo "sleep $@"',
        curl: `name=$(basename "$(dirname "\${@: -1}")")\n${failsOnce('$name')}`,
      },
    });
    expect(exitCode).toBe(0);
    expect(stdout.trim().split('\n')).toEqual([
      'systemctl restart latchkey@3000',
      'sleep 1',
      'systemctl restart latchkey@3001',
      'sleep 1',
    ]);
  });

  test('replace the containers of compose.yaml, each after the earlier one is ready', async () => {
    const code = guide.block('docker compose build');
    const { services } = parse(readFileSync('examples/server/deploy/compose.yaml', 'utf8'), { merge: true });
    expect(Object.keys(services)).toEqual(expect.arrayContaining(['migrate', 'app-1', 'app-2']));
    const STATE = createFolder();
    const docker = `echo "$1 $2 $3 $4 $5 $6"; if [ "$2" = exec ]; then ${failsOnce('$3')}; fi`;
    const { exitCode, stdout } = await runShell(code, {
      env: { STATE },
      programs: { docker, sleep: 'echo "sleep $@"' },
    });
    expect(exitCode).toBe(0);
    const lines = stdout.split('\n').map((line) => line.trim().replace(/ (node -e).*/, ' $1'));
    expect(lines.filter((line) => line !== '' && !line.startsWith("fetch('"))).toEqual([
      'compose build',
      'compose run --rm migrate',
      'compose up --detach --no-deps app-1',
      'compose exec app-1 node -e',
      'sleep 1',
      'compose exec app-1 node -e',
      'compose up --detach --no-deps app-2',
      'compose exec app-2 node -e',
      'sleep 1',
      'compose exec app-2 node -e',
    ]);
  });

  test('check the readiness inside a container: the program exits with 0 only if the status is 200', async () => {
    const [, program = ''] = /node -e "(.+?)"/.exec(guide.block('docker compose build')) ?? [];
    let status = 503;
    const server = createServer((request, response) =>
      response.writeHead(request.url === '/readyz' ? status : 404).end(),
    );
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const code = `node -e "${program.replace('http://localhost:3000', url)}"`;
    expect((await runShell(code)).exitCode).toBe(1);
    status = 200;
    expect((await runShell(code)).exitCode).toBe(0);
    server.closeAllConnections();
    server.close();
    expect((await runShell(code)).exitCode).toBe(1);
  });
});

test('the Kubernetes settings keep all pods until new ones are ready, and leave enough time to stop', () => {
  const { spec } = parse(guide.block('maxUnavailable'));
  expect(spec.strategy.rollingUpdate).toEqual({ maxSurge: 1, maxUnavailable: 0 });
  const { containers, terminationGracePeriodSeconds } = spec.template.spec;
  const [{ readinessProbe, livenessProbe, lifecycle }] = containers;
  const served = readFileSync('examples/server/health.ts', 'utf8');
  for (const probe of [readinessProbe, livenessProbe]) expect(served).toContain(`'${probe.httpGet.path}'`);
  expect([readinessProbe.httpGet.path, livenessProbe.httpGet.path]).toEqual(['/readyz', '/healthz']);
  const [, pause] = lifecycle.preStop.exec.command;
  // The server stops within ten seconds.
  expect(terminationGracePeriodSeconds).toBeGreaterThanOrEqual(Number(pause) + 10);
});
