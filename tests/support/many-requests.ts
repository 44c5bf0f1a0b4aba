/** Lets all of them go at once: each is built before any is sent. */
export const together = <T>(requests: (() => Promise<T>)[]): Promise<T[]> =>
  Promise.all(requests.map((request) => request()));

/** Lets one go after the other, each when the one before is answered. */
export async function inTurn<T>(times: number, request: () => Promise<T>): Promise<T[]> {
  const answers: T[] = [];
  while (answers.length < times) answers.push(await request());
  return answers;
}

export const times = <T>(count: number, value: T): T[] => Array<T>(count).fill(value);

export const statuses = (answers: { status: number }[]): number[] => answers.map(({ status }) => status);

/** Of answers to requests that were let go at once: which came first is not for a test to say. */
export const sortedStatuses = (answers: { status: number }[]): number[] => statuses(answers).sort();
