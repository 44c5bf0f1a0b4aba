import type { Context } from 'koa';
import * as v from 'valibot';
import { readJson } from './read-json.ts';

const mostCharacters = 100;
const mostBytes = 20_000;

const storable = v.check(
  (text: string) => text.isWellFormed() && !text.includes('\0'),
  'It contains a character that cannot be kept.',
);

const fields = {
  name: v.pipe(
    v.string('A name is missing.'),
    v.trim(),
    v.minLength(1, 'A name is missing.'),
    v.maxLength(mostCharacters, `A name has at most ${mostCharacters} characters.`),
    storable,
  ),
  content: v.pipe(
    v.string('The content is missing.'),
    v.maxBytes(mostBytes, 'That is more than 20 kB.'),
    storable,
  ),
};

const newFile = v.strictObject({
  ...fields,
  organizationId: v.optional(v.nullable(v.pipe(v.string(), v.uuid('There is no such organization.'))), null),
});
const changedFile = v.strictObject(fields);

export type NewFile = v.InferOutput<typeof newFile>;

export const readNewFile = (ctx: Context) => read(ctx, newFile);
export const readChangedFile = (ctx: Context) => read(ctx, changedFile);

async function read<Schema extends v.GenericSchema>(
  ctx: Context,
  schema: Schema,
): Promise<v.InferOutput<Schema>> {
  const { success, output, issues } = v.safeParse(schema, await readJson(ctx));
  return success ? output : ctx.throw(400, issues[0].message);
}
