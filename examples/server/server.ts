import { createServer, type Server } from 'node:http';
import { type AuthService, createAuthService } from 'latchkey';
import { type EmbeddedPostgres, startEmbeddedPostgres } from 'latchkey/embedded';
import type { Logger } from 'pino';
import { createApp } from './app.ts';
import { type FileStore, openFiles } from './files/store.ts';
import type { Settings } from './settings.ts';

export interface RunningServer {
  http: Server;
  /** Ends what is in flight, refuses what is new, closes the database. */
  stop(): Promise<void>;
}

/** Database, service, HTTP server, in this order; what was started is stopped again where a later step fails. */
export async function startServer(settings: Settings, log: Logger): Promise<RunningServer> {
  const embedded = settings.databaseUrl === null ? await startDatabase(log) : null;
  const database = settings.databaseUrl ?? embedded?.url ?? '';
  let auth: AuthService | undefined;
  let files: FileStore | undefined;
  try {
    auth = await createAuthService({ database, migrate: true, log });
    files = await openFiles(database);
    const parts = { auth, files, embedded };
    const state = { stopping: false };
    const http = createServer(createApp(auth, files, log, state).callback());
    await listen(http, settings);
    log.info(
      { address: http.address(), origin: settings.origin },
      `Latchkey is running at ${settings.origin}`,
    );
    return { http, stop: () => stop(http, parts, state) };
  } catch (error) {
    await close({ auth, files, embedded });
    throw error;
  }
}

function startDatabase(log: Logger): Promise<EmbeddedPostgres> {
  log.info('no DATABASE_URL: using the embedded PostgreSQL under .latchkey/');
  return startEmbeddedPostgres({ log: (line) => log.info(line) });
}

function listen(http: Server, { host, port }: Settings): Promise<void> {
  return new Promise((resolve, reject) => {
    http.once('error', reject);
    http.listen({ port, ...(host && { host }) }, () => {
      http.off('error', reject);
      resolve();
    });
  });
}

// What is still in flight after this long is cut off; closing the database takes some seconds more.
const graceMs = 6000;

async function stop(http: Server, parts: Parts, state: { stopping: boolean }): Promise<void> {
  state.stopping = true;
  const cut = setTimeout(() => http.closeAllConnections(), graceMs);
  await new Promise((resolve) => http.close(resolve));
  clearTimeout(cut);
  await close(parts);
}

/** What has been started so far. */
interface Parts {
  auth: AuthService | undefined;
  files: FileStore | undefined;
  embedded: EmbeddedPostgres | null;
}

async function close({ auth, files, embedded }: Parts): Promise<void> {
  await Promise.all([auth?.close(), files?.close()]);
  await embedded?.stop();
}
