import type { OperatorActions, RecoveryLink, Role, User } from 'latchkey';
import type { Question } from '../../components/confirm.tsx';
import type { useTask } from '../../hooks/task.ts';

interface Hands {
  operator: OperatorActions;
  run: ReturnType<typeof useTask>;
  refresh(): void;
}

const article = (role: Role) => (role === 'admin' ? 'an admin' : `a ${role}`);

/** What can be done to a person, each as the question that comes before it. */
export function personQuestions({ username, status }: User, { operator: { users }, run, refresh }: Hands) {
  const doing =
    <T>(words: string, task: () => Promise<T>, done: (result: T) => string) =>
    async () => {
      const result = await run(words, task, done);
      refresh();
      return result;
    };
  return {
    changeRole: (role: Role): Question => ({
      title: `Make ${username} ${article(role)}?`,
      consequence: 'It holds from their very next request.',
      onYes: doing(
        'Changing the role…',
        () => users.changeRole(username, role),
        () => `${username} is ${article(role)} now.`,
      ),
    }),
    disableOrEnable: (): Question =>
      status === 'active'
        ? {
            title: `Disable ${username}?`,
            consequence: 'They are shut out and every session of theirs ends. You can enable them again.',
            onYes: doing(
              'Disabling…',
              () => users.disable(username),
              () => `${username} is disabled.`,
            ),
          }
        : {
            title: `Enable ${username}?`,
            consequence: 'They can sign in again.',
            onYes: doing(
              'Enabling…',
              () => users.enable(username),
              () => `${username} is enabled.`,
            ),
          },
    endSessions: (): Question => ({
      title: `End every session of ${username}?`,
      consequence: 'They are signed out everywhere, and can sign in again.',
      onYes: doing(
        'Ending sessions…',
        () => users.endSessions(username),
        (count) =>
          count === 1 ? `1 session of ${username} ended.` : `${count} sessions of ${username} ended.`,
      ),
    }),
    cancelRecoveryLink: (): Question => ({
      title: `Cancel the recovery link of ${username}?`,
      consequence: 'The link stops working, and any recovery that it opened ends.',
      onYes: doing(
        'Canceling…',
        () => users.cancelRecoveryLink(username),
        () => `The recovery link of ${username} is canceled.`,
      ),
    }),
    recoveryLink: (onMade: (link: RecoveryLink) => void): Question => ({
      title: `Make a recovery link for ${username}?`,
      consequence: 'It can be used once to recover the account. The user sees it and can cancel it.',
      onYes: async () => {
        const link = await run(
          'Making a link…',
          () => users.createRecoveryLink(username),
          () => null,
        );
        if (link) onMade(link);
      },
    }),
    remove: (onGone: () => void): Question => ({
      title: `Delete ${username} for ever?`,
      consequence: 'Account, passkeys and sessions go; the username stays taken.',
      typed: username,
      onYes: async () => {
        const task = async () => {
          await users.remove(username);
          return true;
        };
        if (await run('Deleting…', task, () => `${username} is deleted.`)) onGone();
      },
    }),
  };
}
