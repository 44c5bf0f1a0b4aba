/** The address of Redis, in the form of REDIS_URL. */
export interface RedisAddress {
  /** `single`: one server. `sentinel`: Redis Sentinel names the primary. `cluster`: Redis Cluster. */
  kind: 'single' | 'sentinel' | 'cluster';
  /** The Redis servers, or the Sentinels. */
  nodes: { host: string; port: number }[];
  /** The name under which the Sentinels know the primary. Null: no Sentinels. */
  primaryName: string | null;
  tls: boolean;
  username: string | null;
  password: string | null;
  database: number;
}

const form =
  /^redis(?<tls>s)?(?:\+(?<kind>sentinel|cluster))?:\/\/(?:(?<username>[^:@/]*)(?::(?<password>[^@/]*))?@)?(?<nodes>[^/?#@]+)(?<path>\/[^?#]*)?$/;

/**
 * Parses a Redis URL. Returns null if the text is not a valid Redis URL.
 *
 * - `redis://host:6379`, or `rediss://` for TLS
 * - `redis+sentinel://host1:26379,host2:26379/name-of-the-primary`
 * - `redis+cluster://host1:6379,host2:6379`
 *
 * A username, a password (`redis://user:password@…`) and the number of a database (`/1` at the end) are optional.
 */
export function parseRedisUrl(url: string): RedisAddress | null {
  const groups = form.exec(url)?.groups;
  if (!groups || !isDecodable(url)) return null;
  const kind = (groups.kind ?? 'single') as RedisAddress['kind'];
  const nodes = (groups.nodes ?? '').split(',').map((node) => parseNode(node, kind));
  const path = (groups.path ?? '').split('/').slice(1);
  const primaryName = kind === 'sentinel' ? decoded(path.shift()) : null;
  const [database = ''] = path;
  const isValid =
    nodes.every((node) => node !== null) &&
    (kind !== 'single' || nodes.length === 1) &&
    (kind !== 'sentinel' || Boolean(primaryName)) &&
    // Redis Cluster has only the database 0.
    (kind === 'cluster' ? /^0?$/ : /^\d{0,4}$/).test(database) &&
    path.length <= 1;
  if (!isValid) return null;
  return {
    kind,
    nodes: nodes.filter((node) => node !== null),
    primaryName,
    tls: groups.tls !== undefined,
    username: decoded(groups.username),
    password: decoded(groups.password),
    database: Number(database),
  };
}

function parseNode(node: string, kind: RedisAddress['kind']): { host: string; port: number } | null {
  if (!URL.canParse(`redis://${node}`)) return null;
  const { hostname, port } = new URL(`redis://${node}`);
  const byDefault = kind === 'sentinel' ? 26_379 : 6379;
  return { host: hostname.replace(/^\[|\]$/g, ''), port: Number(port) || byDefault };
}

/** Whether the URL has no unescaped %. */
function isDecodable(url: string): boolean {
  try {
    decodeURIComponent(url);
    return true;
  } catch {
    return false;
  }
}

/** Decodes a part of the URL. Returns null if the part is missing or empty. */
const decoded = (text: string | undefined): string | null => (text ? decodeURIComponent(text) : null);
