/** Returns the choice after `current`. If `current` is the last choice, returns the first choice. */
export function nextOf<T>(choices: readonly [T, ...T[]], current: T): T {
  return choices[(choices.indexOf(current) + 1) % choices.length] ?? choices[0];
}
