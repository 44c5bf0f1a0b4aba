import type { FieldSet } from '../../core/field-set.ts';
import type { OwnFieldsMark } from '../profiles.ts';

/**
 * Describes the own fields of the application wherever a schema has the mark `ownFields`. The document is public, so it
 * contains only the fields that users can read or write. Removes the marks.
 *
 * @param fields absent: the document describes no own fields
 */
export function withOwnFields(
  document: object,
  fields: Pick<FieldSet, 'isEmpty' | 'jsonSchemas' | 'requiredNames'> | undefined,
): unknown {
  const known = fields?.isEmpty === false ? fields : null;
  const convert = (node: unknown): unknown => {
    if (Array.isArray(node)) return node.map(convert);
    if (typeof node !== 'object' || node === null) return node;
    const { ownFields: mark, ...rest } = node as { ownFields?: OwnFieldsMark };
    const converted = Object.fromEntries(
      Object.entries(rest).map(([name, member]) => [name, convert(member)]),
    );
    if (mark === undefined || known === null || mark === 'any') return converted;
    const { additionalProperties: _, ...described } = converted;
    return { ...described, ...shapeOf(mark, known) };
  };
  return convert(document);
}

function shapeOf(mark: OwnFieldsMark, fields: Pick<FieldSet, 'jsonSchemas' | 'requiredNames'>): object {
  if (mark === 'read') return { properties: fields.jsonSchemas('read') };
  const properties = fields.jsonSchemas('write');
  if (mark === 'sign_up')
    return {
      properties,
      additionalProperties: false,
      ...(fields.requiredNames.length > 0 && { required: fields.requiredNames }),
    };
  const orNull = Object.entries(properties).map(([name, schema]) => [
    name,
    { anyOf: [schema, { type: 'null' }] },
  ]);
  return { properties: Object.fromEntries(orNull), additionalProperties: false };
}
