import type { Entry } from './catalogue.ts';
import type { Command } from './command.ts';

/** Each module is loaded only when one of its commands runs, which keeps startup fast. */
const modules: Record<string, () => Promise<{ commands: Record<string, Command> }>> = {
  audit: () => import('./commands/audit.ts'),
  bootstrap: () => import('./commands/bootstrap.ts'),
  completion: () => import('./commands/completion.ts'),
  dev: () => import('./commands/dev.ts'),
  doctor: () => import('./commands/doctor.ts'),
  invitations: () => import('./commands/invitations.ts'),
  migrate: () => import('./commands/migrate.ts'),
  organizations: () => import('./commands/organizations.ts'),
  secret: () => import('./commands/secret.ts'),
  users: () => import('./commands/users.ts'),
};

/** The command by the second word of its name, `''` for a name of one word. */
export async function loadCommand({ name }: Entry): Promise<Command> {
  const [first = '', second = ''] = name.split(' ');
  const command = (await modules[first]?.())?.commands[second];
  if (!command) throw new TypeError(`no module has the command ${name}`);
  return command;
}
