import type { OperatorActions } from 'latchkey';

const uuid = /^[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}$/i;

export const isId = (text: string): boolean => uuid.test(text);

/** Returns the ID of the user with this ID or username. For a deleted user, only the ID works. */
export const userIdOf = async (operator: OperatorActions, text: string): Promise<string> =>
  isId(text) ? text.toLowerCase() : (await operator.users.get(text)).user.id;
