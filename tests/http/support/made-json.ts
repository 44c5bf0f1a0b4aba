/** Returns a pseudorandom number generator. The seed makes failures reproducible. */
export function numbersFrom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

const keys = ['a', 'b', '', '"', '\\', '\\"', '{', '}', '[', ']', ',', ':', 'a:b', '"a":1', 'ä\u{1f511}'];

/** A JSON text that may contain a duplicate key. */
export interface MadeJson {
  text: string;
  /** Whether any object in the text has a duplicate key. */
  twice: boolean;
}

/** Returns the JSON text of an object. The seed determines the text. */
export const jsonOf = (seed: number): MadeJson => textFrom(numbersFrom(seed), 0);

function textFrom(random: (below: number) => number, depth: number): MadeJson {
  const kind = depth === 0 ? 4 : random(depth > 3 ? 3 : 5);
  const space = [' ', '', '\n'][random(3)];
  if (kind === 0) return { text: `${random(100)}`, twice: false };
  if (kind < 3) return { text: JSON.stringify(keys[random(keys.length)]), twice: false };
  const members = Array.from({ length: random(4) }, () => textFrom(random, depth + 1));
  const within = members.some(({ twice }) => twice);
  const texts = members.map(({ text }) => text);
  if (kind === 3) return { text: `[${space}${texts.join(`,${space}`)}]`, twice: within };
  const names = members.map(() => keys[random(keys.length)]);
  const pairs = texts.map((text, index) => `${JSON.stringify(names[index])}${space}:${text}`);
  return {
    text: `{${pairs.join(`${space},`)}${space}}`,
    twice: within || new Set(names).size < names.length,
  };
}
