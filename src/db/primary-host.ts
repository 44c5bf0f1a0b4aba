/** What a server says about itself. */
export interface ServerState {
  standby: boolean;
  /** Increments when a standby becomes the primary. 0: unknown. */
  timeline: number;
}

/** How long to wait for the other servers after the first primary has responded. */
const otherAnswersMs = 250;

/**
 * Asks all servers at the same time, and returns the URL of the server that responds as the primary. After a failover,
 * an earlier primary can still run and respond as a primary, too. It has a lower timeline, so the server with the
 * highest timeline is the primary. Otherwise, the service could accept sessions that have ended on the new primary.
 *
 * @throws the error of an unreachable server if no server is the primary, or an error with the code 25006
 *   if all servers are standbys
 */
export async function findPrimary(
  urls: readonly string[],
  ask: (url: string) => Promise<ServerState>,
): Promise<string> {
  const primaries: { url: string; timeline: number }[] = [];
  const answers = urls.map(async (url) => {
    const { standby, timeline } = await ask(url);
    if (standby)
      throw Object.assign(new Error('every host in the database URL is a standby'), { code: '25006' });
    primaries.push({ url, timeline });
  });
  try {
    await Promise.any(answers);
    await atMost(otherAnswersMs, Promise.allSettled(answers));
    return primaries.reduce((highest, one) => (one.timeline > highest.timeline ? one : highest)).url;
  } catch (error) {
    const { errors } = error as AggregateError;
    throw errors.find(({ code }) => code !== '25006') ?? errors[0];
  }
}

/** Waits for the promise, but no longer than this. */
async function atMost(ms: number, promise: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const elapsed = new Promise((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  await Promise.race([promise, elapsed]);
  clearTimeout(timer);
}
