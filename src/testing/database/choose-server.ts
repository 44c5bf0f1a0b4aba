import { isProduction } from '../../core/config.ts';

/** A PostgreSQL server for test databases. */
export interface TestServer {
  url: string;
  /** Where the URL comes from, for error messages. */
  name: string;
  stop(): Promise<void>;
}

/** @throws TypeError if the URL is invalid, or if in production only DATABASE_URL is set */
export async function chooseServer(
  given: string | undefined,
  env: NodeJS.ProcessEnv = process.env,
): Promise<TestServer> {
  const named = [
    ['server', given],
    ['TEST_DATABASE_URL', env.TEST_DATABASE_URL],
    ['DATABASE_URL', env.DATABASE_URL],
  ] as const;
  const [name = 'server', url] = named.find(([, value]) => value) ?? [];
  if (url === undefined) {
    // Imported here, because tests with another server need no embedded PostgreSQL.
    const { startEmbeddedPostgres } = await import('../../embedded/index.ts');
    const { superuserUrl, stop } = await startEmbeddedPostgres();
    return { url: superuserUrl, name: 'the embedded PostgreSQL', stop };
  }
  if (name === 'DATABASE_URL' && isProduction({ env }))
    throw new TypeError(
      'createTestDatabase: NODE_ENV or WEBAUTHN_RP_ORIGIN says production, so DATABASE_URL is not used. Set TEST_DATABASE_URL to a server for tests.',
    );
  if (!URL.canParse(url) || !/^postgres(ql)?:$/.test(new URL(url).protocol))
    throw new TypeError(
      `${name}: expected the URL of a database on one host, such as postgresql://localhost/test`,
    );
  return { url, name, stop: async () => {} };
}

/** The URL of another database on the same server. */
export function urlOfDatabase(serverUrl: string, name: string): string {
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  return url.href;
}
