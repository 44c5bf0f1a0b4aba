import type { Organization } from 'latchkey';
import { command } from '../command.ts';
import { pageFlags, remarkNextPage } from '../commands/pages.ts';
import { confirmed, yesFlag } from '../confirm.ts';
import { exitCodes } from '../exit-codes.ts';
import { facts, print, printJson, remark, table, utcTime } from '../output.ts';
import { withService } from '../service.ts';
import { UsageError } from '../usage-error.ts';

const list = command({
  flags: pageFlags,
  async run({ flags, json }) {
    const page = await withService(({ operator }) => operator.organizations.list(flags));
    if (json) return printJson(page);
    if (page.organizations.length === 0)
      return print('No organizations. Create one with `latchkey organizations create`.');
    const rows = page.organizations.map(({ slug, createdAt, name }) => [slug, utcTime(createdAt), name]);
    print(table(['SLUG', 'CREATED (UTC)', 'NAME'], rows));
    return remarkNextPage(page);
  },
});

const create = command({
  args: '<name>',
  flags: {
    slug: { type: 'string', about: 'The unique short name (default: derived from the name)' },
    admin: {
      type: 'string',
      value: 'username',
      about: 'The first organization admin (default: no members)',
    },
  },
  async run({ args: [name = ''], flags: { slug, admin }, json }) {
    const organization = await withService(({ operator }) =>
      operator.organizations.create({ name, slug, admin }),
    );
    printOrganization(organization, json);
    return admin === undefined && !json
      ? remark(
          '',
          'The organization has no members, so only superadmins and operators can manage it.',
          `Add an organization admin with \`latchkey organizations add-member ${organization.slug} <username> --role admin\`.`,
        )
      : undefined;
  },
});

const get = command({
  args: '<slug>',
  async run({ args: [slug = ''], json }) {
    const organization = await withService(({ operator }) => operator.organizations.get(slug));
    return printOrganization(organization, json);
  },
});

const update = command({
  args: '<slug>',
  flags: {
    name: { type: 'string', about: 'The new name' },
    slug: { type: 'string', about: 'The new unique short name' },
  },
  async run({ args: [current = ''], flags: { name, slug }, json }) {
    if (name === undefined && slug === undefined) throw new UsageError('Expected --name or --slug.');
    const organization = await withService(({ operator }) =>
      operator.organizations.update(current, { name, slug }),
    );
    return printOrganization(organization, json);
  },
});

const deleteOrganization = command({
  args: '<slug>',
  flags: yesFlag,
  async run(input) {
    const [slug = ''] = input.args;
    const question = `Delete ${slug} with its memberships and invitations permanently?`;
    if (!(await confirmed(input, question, 'organizations'))) return exitCodes.stopped;
    await withService(({ operator }) => operator.organizations.delete(slug));
    return input.json ? printJson({ deleted: slug }) : print(`${slug} is deleted.`);
  },
});

function printOrganization(organization: Organization, json: boolean): undefined {
  if (json) return printJson({ organization });
  const { id, name, slug, createdAt } = organization;
  return print(
    facts([
      ['Name', name],
      ['Slug', slug],
      ['ID', id],
      ['Created', `${utcTime(createdAt)} UTC`],
    ]),
  );
}

export const managementCommands = { list, create, get, update, delete: deleteOrganization };
