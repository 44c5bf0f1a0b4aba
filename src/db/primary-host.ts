/**
 * Asks all servers at the same time, and returns the URL of the first server that responds as the primary.
 *
 * @throws the error of an unreachable server if no server is the primary, or an error with the code 25006
 *   if all servers are standbys
 */
export async function findPrimary(
  urls: readonly string[],
  isStandby: (url: string) => Promise<boolean>,
): Promise<string> {
  const answers = urls.map(async (url) => {
    if (await isStandby(url))
      throw Object.assign(new Error('every host in the database URL is a standby'), { code: '25006' });
    return url;
  });
  try {
    return await Promise.any(answers);
  } catch (error) {
    const { errors } = error as AggregateError;
    throw errors.find(({ code }) => code !== '25006') ?? errors[0];
  }
}
