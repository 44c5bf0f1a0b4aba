const mostLevels = 16;

/**
 * Returns a frozen copy of a value as JSON would contain it. JSON would change some values without an error: it drops
 * `undefined`, writes NaN as null and a Date as text. The stored value would then differ from the output of the schema.
 *
 * @throws TypeError that names the source of the value and the value that is not JSON
 */
export function jsonOf(source: string, value: unknown): unknown {
  if (value === null)
    throw new TypeError(`${source} is null; expected another value, because null removes a field`);
  return copyOf(source, value, 0);
}

function copyOf(source: string, value: unknown, level: number): unknown {
  if (level > mostLevels) throw new TypeError(`${source} has more than ${mostLevels} nested levels`);
  switch (typeof value) {
    case 'boolean':
      return value;
    case 'number':
      if (!Number.isFinite(value)) throw notJson(source, value);
      // JSON has no negative zero.
      return value + 0;
    case 'string':
      if (value.includes('\0') || !value.isWellFormed())
        throw new TypeError(
          `${source} contains text with a NUL character or a lone surrogate, which PostgreSQL cannot store`,
        );
      return value;
    case 'object':
      return value === null ? null : objectOf(source, value, level);
    default:
      throw notJson(source, value);
  }
}

function objectOf(source: string, value: object, level: number): unknown {
  if (Array.isArray(value))
    return Object.freeze(Array.from(value, (item) => copyOf(source, item, level + 1)));
  const prototype = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) throw notJson(source, value);
  const members = Object.entries(value).map(([name, member]) => {
    if (name === '__proto__' || name.includes('\0') || !name.isWellFormed())
      throw new TypeError(`${source} has a property with a name that cannot be stored`);
    return [name, copyOf(source, member, level + 1)] as const;
  });
  return Object.freeze(Object.fromEntries(members));
}

function notJson(source: string, value: unknown): TypeError {
  const kind =
    typeof value === 'object'
      ? (value?.constructor?.name ?? 'an object')
      : typeof value === 'number'
        ? `${value}`
        : typeof value;
  return new TypeError(
    `${source} contains ${kind}; expected JSON: text, finite numbers, booleans, arrays, plain objects`,
  );
}
