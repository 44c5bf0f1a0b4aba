import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { PatroniCluster } from './patroni.ts';
import { freePorts, type Workspace } from './workspace.ts';

const settings = (port: number, servers: string[]) => `
defaults
  mode tcp
  timeout connect 2s
  timeout client 30m
  timeout server 30m

listen primary
  bind 127.0.0.1:${port}
  option httpchk OPTIONS /primary
  http-check expect status 200
  default-server inter 1s fall 2 rise 1 on-marked-down shutdown-sessions
${servers.map((server) => `  server ${server}`).join('\n')}
`;

export interface Haproxy {
  readonly port: number;
  kill(): Promise<void>;
  start(): void;
}

/** Starts HAProxy, which connects each client to the primary. */
export async function startHaproxy(
  workspace: Workspace,
  program: string,
  { members }: PatroniCluster,
): Promise<Haproxy> {
  const [port = 0] = await freePorts(1);
  const servers = members.map(
    ({ name, port, apiPort }) => `${name} 127.0.0.1:${port} maxconn 100 check port ${apiPort}`,
  );
  const file = join(workspace.folder, 'haproxy.cfg');
  await writeFile(file, settings(port, servers));
  const start = () => workspace.start('haproxy', [program, '-f', file, '-db']);
  let running = start();
  return {
    port,
    kill: () => running.kill(),
    start() {
      running = start();
    },
  };
}
