import type { Entry } from './catalogue.ts';
import type { Command } from './command.ts';

/** Loads a module only when one of its commands runs, so that startup is fast. */
const modules: Record<string, () => Promise<{ commands: Record<string, Command> }>> = {
  audit: () => import('./commands/audit.ts'),
  bootstrap: () => import('./commands/bootstrap.ts'),
  completion: () => import('./commands/completion.ts'),
  dev: () => import('./commands/dev.ts'),
  doctor: () => import('./commands/doctor.ts'),
  invitations: () => import('./commands/invitations.ts'),
  migrate: () => import('./commands/migrate.ts'),
  organizations: () => import('./commands/organizations.ts'),
  policy: () => import('./commands/policy.ts'),
  secret: () => import('./commands/secret.ts'),
  users: () => import('./commands/users.ts'),
  webhooks: () => import('./commands/webhooks.ts'),
};

/**
 * Loads a command from its module. The module's `commands` contains the command under the second word of the command's
 * name, or under `''` if the name has only one word.
 */
export async function loadCommand({ name }: Entry): Promise<Command> {
  const [first = '', second = ''] = name.split(' ');
  const command = (await modules[first]?.())?.commands[second];
  if (!command) throw new TypeError(`no module has the command ${name}`);
  return command;
}
