import type { AuthenticatorMetadata, AuthenticatorMetadataState } from '../core/authenticator-metadata.ts';
import { day, minute, second } from '../core/duration.ts';
import { createPauses } from '../core/pauses.ts';
import type { Runtime } from '../core/runtime.ts';
import { type ReadMetadata, readMetadata } from './read-metadata.ts';

const every = 60 * minute;
/** How long the first ceremonies wait for the first copy. Afterwards, the service goes on without it. */
const startMs = 5 * second;

/**
 * Reads the metadata of authenticators, and reads a file again every hour, and a URL every day or when the copy is out of
 * date. Keeps the last verified copy if a later one cannot be read or verified, or is older. Does not keep the process
 * running.
 *
 * @returns null if the service has no metadata
 */
export function startMetadata({
  config,
  log,
  clock,
}: Pick<Runtime, 'config' | 'log' | 'clock'>): AuthenticatorMetadata | null {
  const { metadata: source, metadataRoots } = config.authenticators;
  if (source === null) return null;
  const isUrl = /^https?:\/\//i.test(source);
  const pauses = createPauses();
  const stopping = new AbortController();
  let current: ReadMetadata | null = null;
  let fault: string | null = null;
  let readAt = Number.NEGATIVE_INFINITY;

  const isStale = () =>
    current === null || clock().getTime() >= Date.parse(`${current.nextUpdate}T00:00:00Z`) + day;

  async function read(from: string): Promise<void> {
    try {
      const found = await readMetadata(from, metadataRoots, stopping.signal);
      // Otherwise, an attacker could hide a security warning by sending an earlier copy.
      if (current !== null && found.number < current.number)
        throw new Error(`the metadata has the number ${found.number}, but ${current.number} was read before`);
      current = found;
      fault = null;
      readAt = clock().getTime();
    } catch (error) {
      if (stopping.signal.aborted) return;
      fault = error instanceof Error ? error.message : `${error}`;
      log.warn(
        { err: error },
        current === null
          ? 'the metadata of authenticators cannot be read, so no model can be proven with it'
          : 'the metadata of authenticators cannot be read again, so the earlier copy stays in use',
      );
    }
    if (current !== null && isStale())
      log.warn(
        { nextUpdate: current.nextUpdate },
        'the metadata of authenticators is out of date, so newer security warnings are missing',
      );
  }

  async function run(from: string): Promise<void> {
    while (await pauses.take(every)) {
      const isDue = !isUrl || fault !== null || isStale() || clock().getTime() - readAt >= day;
      if (isDue) await read(from);
    }
  }

  const first = read(source);
  const running = first.then(() => run(source));
  const waited = new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, startMs).unref();
    void first.then(() => {
      clearTimeout(timer);
      resolve();
    });
  });
  return {
    ready: () => waited,
    modelOf: (aaguid) => current?.byAaguid.get(aaguid) ?? null,
    modelWithKey: (identifier) => current?.byKeyIdentifier.get(identifier) ?? null,
    state: (): AuthenticatorMetadataState => ({
      models: current === null ? 0 : current.byAaguid.size + current.byKeyIdentifier.size,
      number: current?.number ?? null,
      nextUpdate: current?.nextUpdate ?? null,
      isStale: isStale(),
      fault,
    }),
    stop: () => {
      pauses.end();
      stopping.abort();
      return running;
    },
  };
}
