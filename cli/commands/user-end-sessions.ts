import { command, type Input } from '../command.ts';
import { confirmed, yesFlag } from '../confirm.ts';
import { exitCodes } from '../exit-codes.ts';
import { print, printJson } from '../output.ts';
import { withService } from '../service.ts';
import { UsageError } from '../usage-error.ts';
import { isId } from '../user-id.ts';
import { count } from '../words/count.ts';

export const endSessions = command({
  args: '<username>',
  flags: {
    ...yesFlag,
    session: { type: 'string', value: 'id', about: 'End only this session' },
  },
  note: 'The command "users get" shows the IDs of sessions.',
  async run(input) {
    const [username = ''] = input.args;
    const { session } = input.flags;
    if (session !== undefined) return endSession(input, username, session);
    if (!(await confirmed(input, `End all sessions of ${username}?`))) return exitCodes.stopped;
    const ended = await withService(({ operator }) => operator.users.endSessions(username));
    return input.json ? printJson({ ended }) : print(`Ended ${count(ended, 'session')}.`);
  },
});

export const endAllSessions = command({
  flags: {
    ...yesFlag,
    recoveryLinks: { type: 'boolean', about: 'Also cancel all recovery links, for example after a restore' },
  },
  note: 'Ends the sessions of all users, including yours. All users must sign in again.',
  async run(input) {
    const recoveryLinks = input.flags.recoveryLinks;
    const question = `End all sessions of all users${recoveryLinks ? ', and cancel all recovery links' : ''}?`;
    if (!(await confirmed(input, question))) return exitCodes.stopped;
    const ended = await withService(({ operator }) => operator.users.endAllSessions({ recoveryLinks }));
    if (input.json) return printJson(ended);
    const lines = [`Ended ${count(ended.sessions, 'session')}.`];
    if (recoveryLinks) lines.push(`Canceled ${count(ended.recoveryLinks, 'recovery link')}.`);
    return print(...lines);
  },
});

async function endSession(input: Omit<Input<typeof yesFlag>, 'args'>, username: string, id: string) {
  if (!isId(id)) throw new UsageError(`--session: expected the ID of a session, not "${id}".`);
  if (!(await confirmed(input, `End session ${id} of ${username}?`))) return exitCodes.stopped;
  await withService(({ operator }) => operator.users.endSession(username, id.toLowerCase()));
  return input.json ? printJson({ ended: 1 }) : print('Ended 1 session.');
}
