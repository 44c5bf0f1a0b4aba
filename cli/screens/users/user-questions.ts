import type { OperatorActions, RecoveryLink, Role, User } from 'latchkey';
import type { Question } from '../../components/confirm.tsx';
import type { useTask } from '../../hooks/task.ts';
import { count } from '../../words/count.ts';

interface ActionContext {
  operator: OperatorActions;
  run: ReturnType<typeof useTask>;
  refresh(): void;
}

/** The confirmation questions for all actions on a user. */
export function userQuestions(
  { username, status }: User,
  { operator: { users }, run, refresh }: ActionContext,
) {
  const runAndRefresh =
    <T>(busyText: string, task: () => Promise<T>, done: (result: T) => string) =>
    async () => {
      const result = await run(busyText, task, done);
      refresh();
      return result;
    };
  return {
    changeRole: (role: Role): Question => ({
      title: `Change the role of ${username} to ${role}?`,
      consequence: 'The new role takes effect immediately.',
      onYes: runAndRefresh(
        'Changing the role…',
        () => users.changeRole(username, role),
        () => `${username} has the role ${role}.`,
      ),
    }),
    disableOrEnable: (): Question =>
      status === 'active'
        ? {
            title: `Disable ${username}?`,
            consequence:
              'Ends all sessions and blocks sign-in. Keeps all data. You can enable the user again.',
            onYes: runAndRefresh(
              'Disabling…',
              () => users.disable(username),
              () => `${username} is disabled.`,
            ),
          }
        : {
            title: `Enable ${username}?`,
            consequence: 'The user can sign in again.',
            onYes: runAndRefresh(
              'Enabling…',
              () => users.enable(username),
              () => `${username} is enabled.`,
            ),
          },
    endSessions: (): Question => ({
      title: `End all sessions of ${username}?`,
      consequence: 'Signs the user out everywhere. The user can sign in again.',
      onYes: runAndRefresh(
        'Ending sessions…',
        () => users.endSessions(username),
        (ended) => `Ended ${count(ended, 'session')} of ${username}.`,
      ),
    }),
    cancelRecoveryLink: (): Question => ({
      title: `Cancel the recovery link of ${username}?`,
      consequence: 'The link stops working. If the link is in use, its recovery session ends.',
      onYes: runAndRefresh(
        'Canceling…',
        () => users.cancelRecoveryLink(username),
        () => `Canceled the recovery link of ${username}.`,
      ),
    }),
    createRecoveryLink: (onCreated: (link: RecoveryLink) => void): Question => ({
      title: `Create a recovery link for ${username}?`,
      consequence:
        'The link is single-use and lets the user add a new passkey. The user gets a notice and can cancel the link.',
      onYes: async () => {
        const link = await run(
          'Creating the link…',
          () => users.createRecoveryLink(username),
          () => null,
        );
        if (link) onCreated(link);
      },
    }),
    deleteUser: (onDeleted: () => void): Question => ({
      title: `Delete ${username} permanently?`,
      consequence: 'Deletes the account, the passkeys and the sessions. The username stays taken.',
      typed: username,
      onYes: async () => {
        const task = async () => {
          await users.delete(username);
          return true;
        };
        if (await run('Deleting…', task, () => `${username} is deleted.`)) onDeleted();
      },
    }),
  };
}
