/** Sends all requests concurrently. */
export const together = <T>(requests: (() => Promise<T>)[]): Promise<T[]> =>
  Promise.all(requests.map((request) => request()));

/** Sends the request `times` times, one after the other. */
export async function inTurn<T>(times: number, request: () => Promise<T>): Promise<T[]> {
  const answers: T[] = [];
  while (answers.length < times) answers.push(await request());
  return answers;
}

export const times = <T>(count: number, value: T): T[] => Array<T>(count).fill(value);

export const statuses = (answers: { status: number }[]): number[] => answers.map(({ status }) => status);

/**
 * Returns the sorted statuses of responses. They are sorted because the order of concurrent requests is not defined.
 */
export const sortedStatuses = (answers: { status: number }[]): number[] => statuses(answers).sort();
