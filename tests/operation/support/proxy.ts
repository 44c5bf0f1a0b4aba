import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { networkInterfaces, tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually } from '../../support/eventually.ts';
import { freePort } from '../../support/example-server.ts';
import { removeFolder } from '../../support/remove-folder.ts';
import { type MadeCertificate, makeCertificate } from './certificates.ts';
import { searchPath } from './programs.ts';

/** nginx or Caddy in front of two processes, with the configuration file in examples/server/deploy. */
export interface RunningProxy {
  /** The https port. */
  port: number;
  /** The http port. */
  plainPort: number;
  certificate: MadeCertificate;
  /** Returns the output of the proxy so far. */
  output(): string;
  stop(): Promise<void>;
}

/** Starts a proxy in front of servers on these two ports. */
export type StartProxy = (upstreams: [number, number]) => Promise<RunningProxy>;

/** Values of this test. They replace values in the configuration file. */
interface Place {
  folder: string;
  port: number;
  plainPort: number;
  certificate: MadeCertificate;
}

export const startNginx: StartProxy = (upstreams) =>
  startProxy(async ({ folder, port, plainPort, certificate }) => {
    const site = substitute(shipped('nginx.conf'), [
      ['127.0.0.1:3000', `127.0.0.1:${upstreams[0]}`],
      ['127.0.0.1:3001', `127.0.0.1:${upstreams[1]}`],
      ['listen 80;', `listen ${plainPort};`],
      ['listen [::]:80;', hasIPv6() ? `listen [::]:${plainPort};` : ''],
      ['listen 443 ssl http2;', `listen ${port} ssl http2;`],
      ['listen [::]:443 ssl http2;', hasIPv6() ? `listen [::]:${port} ssl http2;` : ''],
      ['/etc/letsencrypt/live/example.com/fullchain.pem', certificate.certificate],
      ['/etc/letsencrypt/live/example.com/privkey.pem', certificate.key],
    ]);
    await writeFile(join(folder, 'latchkey.conf'), site);
    const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
      .map((kind) => `${kind}_temp_path ${folder}/${kind};`)
      .join('\n');
    const main = `
      ${process.getuid?.() === 0 ? 'user root;' : ''}
      pid ${folder}/nginx.pid;
      error_log stderr warn;
      daemon off;
      worker_processes 2;
      events { worker_connections 512; }
      http { access_log off; ${temporary} include ${folder}/latchkey.conf; }`;
    await writeFile(join(folder, 'nginx.conf'), main);
    return spawn('nginx', ['-e', 'stderr', '-p', folder, '-c', join(folder, 'nginx.conf')], {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { PATH: searchPath },
    });
  });

export const startCaddy: StartProxy = (upstreams) =>
  startProxy(async ({ folder, port, plainPort, certificate }) => {
    const site = substitute(shipped('Caddyfile'), [
      [
        '{$SITE:example.com} {',
        `{$SITE:example.com} {\n\ttls ${certificate.certificate} ${certificate.key}\n`,
      ],
    ]);
    const options = `{\n\tadmin off\n\thttp_port ${plainPort}\n\thttps_port ${port}\n}\n`;
    await writeFile(join(folder, 'Caddyfile'), `${options}${site}`);
    return spawn('caddy', ['run', '--adapter', 'caddyfile', '--config', join(folder, 'Caddyfile')], {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: {
        PATH: searchPath,
        HOME: folder,
        UPSTREAMS: upstreams.map((upstream) => `127.0.0.1:${upstream}`).join(' '),
      },
    });
  });

async function startProxy(start: (place: Place) => Promise<ChildProcess>): Promise<RunningProxy> {
  const folder = await mkdtemp(join(tmpdir(), 'latchkey-proxy-'));
  // If root starts nginx, the workers of nginx run as another system user, who needs access to the folder.
  await chmod(folder, 0o755);
  await mkdir(join(folder, 'logs'));
  const certificate = makeCertificate(folder, 'proxy');
  const [port, plainPort] = [await freePort(), await freePort()];
  const child = await start({ folder, port, plainPort, certificate });
  let written = '';
  child.stdout?.on('data', (chunk) => (written += chunk));
  child.stderr?.on('data', (chunk) => (written += chunk));
  const exit = once(child, 'exit');
  await eventually(async () => {
    if (child.exitCode !== null) throw new Error(`the proxy did not start:\n${written}`);
    return (await isListening(port)) && (await isListening(plainPort));
  });
  return {
    port,
    plainPort,
    certificate,
    output: () => written,
    async stop() {
      child.kill('SIGTERM');
      await exit;
      await removeFolder(folder);
    },
  };
}

const shipped = (name: string): string =>
  readFileSync(new URL(`../../../examples/server/deploy/${name}`, import.meta.url), 'utf8');

/** Replaces values in the configuration file. Throws if the file does not contain one of the values. */
function substitute(text: string, replacements: [from: string, to: string][]): string {
  return replacements.reduce((left, [from, to]) => {
    const statement = left.split('\n').some((line) => !line.trim().startsWith('#') && line.includes(from));
    if (!statement) throw new Error(`the shipped file does not contain ${from}`);
    return left.replaceAll(from, to);
  }, text);
}

const hasIPv6 = (): boolean =>
  Object.values(networkInterfaces()).some((addresses) => addresses?.some(({ family }) => family === 'IPv6'));

const isListening = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
