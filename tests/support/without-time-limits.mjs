// Node.js runs this before the programs that tests start. Like unlimited-statements.ts, it removes time limits that an
// overloaded machine can exceed: that of the service for a statement, and those of the example server for its shutdown.
// The limits are timeouts with the delays in this module's URL.
const limitsMs = new URL(import.meta.url).searchParams.getAll('ms').map(Number);
const longest = 2 ** 31 - 1;

const { setTimeout } = globalThis;
const unlimited = (act, ms, ...rest) => setTimeout(act, limitsMs.includes(ms) ? longest : ms, ...rest);
globalThis.setTimeout = Object.defineProperties(unlimited, Object.getOwnPropertyDescriptors(setTimeout));
