import { createServer as createHttpServer, type Server as HttpServer, type RequestListener } from 'node:http';
import { createServer as createHttpsServer, type Server as HttpsServer } from 'node:https';
import { type AuthService, createAuthService } from 'latchkey';
import { type EmbeddedPostgres, startEmbeddedPostgres } from 'latchkey/embedded';
import type { Logger } from 'pino';
import { createApp } from './app.ts';
import { connectionsOf } from './drain.ts';
import { type FilesAuthService, fileCapabilities } from './files/capabilities.ts';
import { type FileStore, openFiles } from './files/store.ts';
import { type FollowedCertificate, followCertificate } from './follow-certificate.ts';
import type { MetricsServer } from './metrics/server.ts';
import type { MetricsAddress } from './metrics/setting.ts';
import { Readiness } from './readiness.ts';
import type { Settings } from './settings.ts';
import { readSetup, type Setup } from './setup.ts';

export interface RunningServer {
  /** Reads which setup steps are missing. */
  readSetup(): Promise<Setup>;
  /** Reloads the certificate. */
  reload(): void;
  /** Accepts no new connections, finishes running requests, then closes the database. */
  stop(): Promise<void>;
}

// Requests that are still running after this time are aborted. Closing the database takes a few more seconds.
const graceMs = 6000;
// After this time, a proxy knows that the server is stopping, and no longer uses idle connections.
const lingerMs = 1000;
// The proxies in deploy/ keep idle connections for 60 s. The server keeps them longer, so that a proxy always closes
// them first and never sends a request on a connection that the server is closing.
const keepAliveMs = 75_000;

/** Starts the database, the service and the HTTP server, in this order. If one fails, stops the others. */
export async function startServer(settings: Settings, log: Logger): Promise<RunningServer> {
  const { origins, trustedProxies, rateLimit, brand } = settings;
  const embedded = settings.databaseUrl === null ? await startDatabase(log) : null;
  const database = settings.databaseUrl ?? embedded?.url ?? '';
  let auth: FilesAuthService | undefined;
  let files: FileStore | undefined;
  let metrics: MetricsServer | null = null;
  try {
    // Without the embedded PostgreSQL, the service reads the URLs from the environment.
    const databases = { database: embedded?.url, migrationDatabase: embedded?.ownerUrl, migrate: true };
    // WEBAUTHN_RP_NAME replaces the name of the brand in passkey dialogs.
    const rpName = process.env.WEBAUTHN_RP_NAME?.trim() ? undefined : brand.name;
    const options = { ...databases, origins, rpName, capabilities: fileCapabilities, log };
    auth = await createAuthService(options);
    files = await openFiles(database);
    metrics = settings.metrics && (await startMetrics(settings.metrics, auth, log));
    const parts = { auth, files, embedded, metrics };
    const readiness = new Readiness();
    const state = { trustedProxies, rateLimit, metrics, brand, readiness, stopping: false };
    const answer = createApp(auth, files, log, state).callback();
    const { server, certificate } = createServer(settings, log, answer);
    if (trustedProxies > 0) server.keepAliveTimeout = keepAliveMs;
    const connections = connectionsOf(server);
    await listen(server, settings);
    log.info({ address: server.address(), origin: origins[0] }, `${brand.name} is running at ${origins[0]}`);
    const { auth: service } = parts;
    return {
      readSetup: () => readSetup(service),
      reload: () => certificate?.reload(),
      stop: async () => {
        const began = performance.now();
        certificate?.stop();
        if (trustedProxies > 0) await state.readiness.stop();
        state.stopping = true;
        await connections.drain({
          graceMs: graceMs - (performance.now() - began),
          lingerMs: trustedProxies > 0 ? lingerMs : 0,
        });
        await close(parts);
      },
    };
  } catch (error) {
    await close({ auth, files, embedded, metrics });
    throw error;
  }
}

function startDatabase(log: Logger): Promise<EmbeddedPostgres> {
  log.info('DATABASE_URL is not set, using the embedded PostgreSQL in .latchkey/');
  return startEmbeddedPostgres({ log: (line) => log.info(line) });
}

function createServer(
  { certificate, origins }: Settings,
  log: Logger,
  answer: RequestListener,
): { server: HttpServer | HttpsServer; certificate: FollowedCertificate | null } {
  if (certificate === null) return { server: createHttpServer(answer), certificate: null };
  const server = createHttpsServer(certificate.context, answer);
  const { hostname } = new URL(origins[0]);
  return { server, certificate: followCertificate(server, certificate, { host: hostname, log }) };
}

/** Loads the metrics library only if metrics are on. */
async function startMetrics(address: MetricsAddress, auth: AuthService, log: Logger): Promise<MetricsServer> {
  const { createMetricsServer } = await import('./metrics/server.ts');
  const metrics = createMetricsServer(auth);
  await listen(metrics.server, address);
  log.info({ address: metrics.server.address() }, 'serving metrics at /metrics');
  return metrics;
}

function listen(
  http: HttpServer | HttpsServer,
  { host, port }: { host: string | null; port: number },
): Promise<void> {
  return new Promise((resolve, reject) => {
    http.once('error', reject);
    http.listen({ port, ...(host && { host }) }, () => {
      http.off('error', reject);
      resolve();
    });
  });
}

/** The parts started so far. */
interface Parts {
  auth: AuthService | undefined;
  files: FileStore | undefined;
  embedded: EmbeddedPostgres | null;
  metrics: MetricsServer | null;
}

async function close({ auth, files, embedded, metrics }: Parts): Promise<void> {
  metrics?.server.close();
  metrics?.server.closeAllConnections();
  await Promise.all([auth?.close(), files?.close()]);
  await embedded?.stop();
}
