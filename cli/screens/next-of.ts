/** Returns the choice after `current`. Returns the first choice after the last one. */
export function nextOf<T>(choices: readonly [T, ...T[]], current: T): T {
  return choices[(choices.indexOf(current) + 1) % choices.length] ?? choices[0];
}
