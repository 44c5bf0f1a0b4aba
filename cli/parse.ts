import meow, { type AnyFlags } from 'meow';
import type { Command, Flag, Flags, Input } from './command.ts';
import { commonFlags, dashed, usageOf } from './help.ts';
import { UsageError } from './usage-error.ts';

type Parsed = Pick<Input, 'args' | 'flags'>;

/** Parses the arguments and flags after a command's name. With --help, returns `help`. @throws UsageError */
export function parse(name: string, command: Command, argv: string[]): Parsed | 'help' {
  const usage = usageOf(name, command);
  const declared = { ...command.flags, ...commonFlags };
  const { input: args, flags } = read(argv, declared, usage);
  const { help, json: _, ...own } = flags;
  if (help) return 'help';
  for (const [flag, value] of Object.entries(own)) {
    const fault = faultOf(dashed(flag), command.flags?.[flag], value);
    if (fault) throw new UsageError(fault, usage);
  }
  const names = command.args?.split(' ') ?? [];
  if (args.length < names.length) throw new UsageError(`Missing argument ${names[args.length]}.`, usage);
  if (args.length > names.length) throw new UsageError(`Unexpected argument "${args[names.length]}".`, usage);
  return { args, flags: own as Input['flags'] };
}

/**
 * Lets meow accept unknown flags. `faultOf` rejects them later. If meow rejected an unknown flag, meow would print an
 * error as text and exit. With --json, the error must be JSON.
 */
function read(argv: string[], flags: Flags, usage: string) {
  const options = { argv, flags: flags as AnyFlags, autoHelp: false, autoVersion: false };
  try {
    return meow({ importMeta: import.meta, ...options });
  } catch (error) {
    // The value is not one of the choices, or the flag occurs twice.
    throw new UsageError(error instanceof Error ? error.message : String(error), usage);
  }
}

/** Checks what meow does not check: unknown flags, missing values and the range of numbers. */
function faultOf(name: string, flag: Flag | undefined, value: unknown): string | null {
  if (!flag) return `Unknown flag ${name}.`;
  if (flag.type === 'boolean') return null;
  if (value === undefined || value === '') return `${name}: expected a value.`;
  if (flag.type === 'string') return null;
  const [min, max] = flag.range ?? [0, Number.MAX_SAFE_INTEGER];
  const isValid = typeof value === 'number' && Number.isInteger(value) && value >= min && value <= max;
  const given = Number.isFinite(value) ? `, not ${value}` : '';
  return isValid ? null : `${name}: expected a whole number from ${min} to ${max}${given}.`;
}
