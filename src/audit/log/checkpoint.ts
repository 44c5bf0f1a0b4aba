import { fromBase64, isKeyName, NoteError } from './note.ts';

/** The state of a log at one moment (C2SP tlog-checkpoint). */
export interface Checkpoint {
  /** The identifier of the log. Each log has its own. */
  origin: string;
  /** How many entries the log has. */
  size: number;
  /** The root hash of the tree. */
  root: Buffer;
  /** More lines, which the signature covers. Latchkey writes none. */
  extensions?: readonly string[];
}

/** Returns the text of the note that the log signs. */
export function checkpointText({ origin, size, root, extensions = [] }: Checkpoint): string {
  return [origin, String(size), root.toString('base64'), ...extensions].map((line) => `${line}\n`).join('');
}

/**
 * Reads the text of a checkpoint.
 *
 * @throws NoteError if the text is not that of a checkpoint
 */
export function readCheckpoint(text: string): Checkpoint {
  const [origin = '', size = '', encoded = '', ...rest] = text.split('\n');
  const extensions = rest.slice(0, -1);
  const root = fromBase64(encoded);
  const isComplete =
    rest.at(-1) === '' &&
    origin !== '' &&
    /^(0|[1-9][0-9]{0,15})$/.test(size) &&
    Number.isSafeInteger(Number(size)) &&
    root?.length === 32 &&
    !extensions.includes('');
  if (!isComplete)
    throw new NoteError(
      'malformed checkpoint; expected the lines origin, size and root hash, then the signatures',
    );
  return { origin, size: Number(size), root, ...(extensions.length > 0 && { extensions }) };
}

/**
 * Returns the origin of a new log.
 *
 * @param host the host of the application, for example `example.com`
 * @param suffix random hexadecimal digits. A log that replaces another one gets another origin.
 */
export function logOrigin(host: string, suffix: string): string {
  const origin = `${host}/auth/audit-log/${suffix}`;
  if (!isKeyName(origin)) throw new NoteError(`"${origin}" cannot be the origin of a log`);
  return origin;
}
