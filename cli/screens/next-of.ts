/** The next choice; after the last comes the first. */
export function nextOf<T>(choices: readonly [T, ...T[]], current: T): T {
  return choices[(choices.indexOf(current) + 1) % choices.length] ?? choices[0];
}
