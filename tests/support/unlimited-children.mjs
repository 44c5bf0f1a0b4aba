// Node.js runs this before the programs that tests start. Like unlimited-statements.ts, it removes the service's time
// limit for a statement, because statements can take longer on an overloaded machine. The limit is a timeout with the
// delay in this module's URL.
const limitMs = Number(new URL(import.meta.url).searchParams.get('ms'));
const longest = 2 ** 31 - 1;

const { setTimeout } = globalThis;
const unlimited = (act, ms, ...rest) => setTimeout(act, ms === limitMs ? longest : ms, ...rest);
globalThis.setTimeout = Object.defineProperties(unlimited, Object.getOwnPropertyDescriptors(setTimeout));
