import type { Checkpoint } from './checkpoint.ts';
import { NoteError, openNote, readNote, readVerifierKey } from './note.ts';

/** A witness did not cosign. */
export class WitnessError extends Error {
  override name = 'WitnessError';
}

/** A witness of C2SP tlog-witness. */
export interface WitnessClient {
  /**
   * Asks the witness to cosign a checkpoint. Returns the checkpoint with the cosignature, which is verified.
   *
   * @throws WitnessError if the witness refuses, is unreachable, or answers with anything else
   */
  cosign(note: string, checkpoint: Checkpoint): Promise<string>;
}

const timeoutMs = 10_000;
const mostCharacters = 100_000;

/** @param proofFrom returns the proof that the log begins with its first entries */
export function createWitnessClient(
  { url, key }: { url: string; key: string },
  proofFrom: (oldSize: number, size: number) => Promise<readonly Buffer[]>,
): WitnessClient {
  const verifier = readVerifierKey(key);
  let cosignedSize = 0;

  async function ask(note: string, { size }: Checkpoint): Promise<Response> {
    const oldSize = Math.min(cosignedSize, size);
    const proof = (await proofFrom(oldSize, size)).map((hash) => `${hash.toString('base64')}\n`).join('');
    return fetch(`${url}/add-checkpoint`, {
      method: 'POST',
      body: `old ${oldSize}\n${proof}\n${note}`,
      redirect: 'error',
      signal: AbortSignal.timeout(timeoutMs),
    });
  }

  return {
    async cosign(note, checkpoint) {
      let response = await ask(note, checkpoint).catch(asWitnessError);
      let text = await limitedText(response);
      if (response.status === 409 && /^(0|[1-9]\d{0,15})\n$/.test(text)) {
        cosignedSize = Number(text);
        if (cosignedSize > checkpoint.size)
          throw new WitnessError(
            `the witness has cosigned ${cosignedSize} entries, but the log has ${checkpoint.size}: entries were removed`,
          );
        response = await ask(note, checkpoint).catch(asWitnessError);
        text = await limitedText(response);
      }
      if (response.status !== 200)
        throw new WitnessError(`the witness refuses the checkpoint with the status ${response.status}`);
      const { verified } = openedBy(verifier, note, text);
      cosignedSize = checkpoint.size;
      return `${note}${verified.map(({ line }) => `${line}\n`).join('')}`;
    },
  };
}

function openedBy(verifier: ReturnType<typeof readVerifierKey>, note: string, answer: string) {
  try {
    const opened = openNote(note + answer, [verifier]);
    // An answer with an empty line makes another note, whose signatures do not belong to the checkpoint.
    if (opened.text !== readNote(note).text) throw new NoteError('the witness has changed the checkpoint');
    return opened;
  } catch (cause) {
    throw new WitnessError('the answer of the witness has no valid cosignature', { cause });
  }
}

function asWitnessError(cause: unknown): never {
  throw new WitnessError('the witness is unreachable', { cause });
}

/** Reads at most 100,000 characters, because the witness is another system. */
async function limitedText(response: Response): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  try {
    for await (const chunk of response.body ?? []) {
      text += decoder.decode(chunk as Uint8Array, { stream: true });
      if (text.length > mostCharacters) throw new WitnessError('the answer of the witness is too long');
    }
  } catch (error) {
    if (error instanceof WitnessError) throw error;
    asWitnessError(error);
  }
  return text;
}
