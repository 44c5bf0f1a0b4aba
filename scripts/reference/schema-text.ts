import type { JsonSchema } from '@valibot/to-json-schema';
import { code } from '../markdown.ts';

/** One row for each property of an object, and for the properties of its objects: name, type, meaning. */
export function propertyRows(schema: JsonSchema, prefix = ''): string[][] {
  const { properties = {}, required = [] } = schema;
  return Object.entries(properties).flatMap(([name, property]) => {
    const own = property as JsonSchema;
    const path = `${prefix}${name}`;
    const optional = required.includes(name) ? '' : ', optional';
    const inner = [own, own.items as JsonSchema | undefined, ...((own.anyOf ?? []) as JsonSchema[])].find(
      (each) => each !== undefined && typeof each === 'object' && each.properties !== undefined,
    );
    const suffix = own.items === inner && inner !== undefined ? '[]' : '';
    return [
      [code(path), `${typeText(own)}${optional}`, meaningOf(own)],
      ...(inner ? propertyRows(inner, `${path}${suffix}.`) : []),
    ];
  });
}

function meaningOf(schema: JsonSchema): string {
  const { description, minimum, maximum, minLength, maxLength, minItems, maxItems } = schema;
  const limits = [
    rangeOf(minimum, maximum, ''),
    rangeOf(minLength, maxLength, ' characters'),
    rangeOf(minItems, maxItems, ' items'),
    ['string', 'number', 'boolean'].includes(typeof schema.default) && `default ${code(`${schema.default}`)}`,
  ].filter(Boolean);
  const limit = limits.length === 0 ? '' : `${limits.join('; ')}.`;
  return [description, limit && `${limit[0]?.toUpperCase()}${limit.slice(1)}`].filter(Boolean).join(' ');
}

function rangeOf(least: number | undefined, most: number | undefined, unit: string): string {
  if (least === undefined && most === undefined) return '';
  if (most === undefined) return least === 1 && unit !== '' ? 'not empty' : `at least ${least}${unit}`;
  return least === undefined ? `at most ${most}${unit}` : `${least} to ${most}${unit}`;
}

/** The type of a value, in Markdown: named types are links. The properties of an object have rows of their own. */
export function typeText(schema: JsonSchema): string {
  const { $ref, anyOf, items, type, properties, format } = schema;
  if ($ref) {
    const name = $ref.replace(/^.*\//, '');
    return `[${name}](#${name.toLowerCase()})`;
  }
  if (schema.enum) return schema.enum.map((value) => code(JSON.stringify(value))).join(' or ');
  if (schema.const !== undefined) return code(JSON.stringify(schema.const));
  if (anyOf) return [...new Set((anyOf as JsonSchema[]).map(typeText))].join(' or ');
  if (type === 'array') return `array of ${typeText((items ?? {}) as JsonSchema)}`;
  if (properties) return 'object';
  return format ? `${type} (${format})` : `${type ?? 'any value'}`;
}
