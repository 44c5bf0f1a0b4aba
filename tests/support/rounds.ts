/**
 * How many times the test of a race repeats the race. The tests hold the requests until each of them has read its state,
 * so a few rounds are enough. `ROUNDS=50 npx vitest run tests/features/invitations-races.test.ts` repeats it fifty times.
 */
export const rounds = Number(process.env.ROUNDS ?? 5);
