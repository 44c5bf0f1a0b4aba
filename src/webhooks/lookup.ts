import { type LookupAddress, lookup } from 'node:dns';

/** Finds the addresses of a host, like `dns.lookup` with the option `all`. */
export type Resolve = (
  host: string,
  options: { all: true },
  callback: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void;

type Callback = Parameters<Resolve>[2];

/**
 * Finds the addresses of one host at a time. Lookups of the same host share a result.
 *
 * `dns.lookup` calls `getaddrinfo` on a thread of libuv's pool. If a name server does not respond, this takes half a
 * minute. libuv runs such calls on at most half of its threads (two of four), so bcrypt keeps the others. Lookups of two
 * slow hosts would use both threads, and the database client could not look up its server. A DNS client such as
 * `dns.Resolver` needs no thread, but it ignores the hosts file, the search domains and `nsswitch.conf`, which internal
 * receivers need.
 */
export function createSerialLookup(find: Resolve): Resolve {
  /** The hosts in the order of their lookups, each with its callers. The lookup of the first host has started. */
  const waiting = new Map<string, Callback[]>();

  function start(host: string): void {
    find(host, { all: true }, (error, addresses) => {
      const callbacks = waiting.get(host) ?? [];
      waiting.delete(host);
      const [next] = waiting.keys();
      if (next !== undefined) start(next);
      for (const callback of callbacks) callback(error, addresses);
    });
  }

  return (host, _options, callback) => {
    const callbacks = waiting.get(host);
    if (callbacks) {
      callbacks.push(callback);
      return;
    }
    waiting.set(host, [callback]);
    if (waiting.size === 1) start(host);
  };
}

/** The lookup of all webhooks of this process. */
export const serialLookup = createSerialLookup(lookup);
