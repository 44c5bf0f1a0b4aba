import { createPublicKey } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Checkpoint, readCheckpoint } from '../../src/audit/log/checkpoint.ts';
import {
  cosigner,
  fromBase64,
  noteVerifier,
  openNote,
  readVerifierKey,
  signatureLine,
  signatureTypes,
  verifierKey,
} from '../../src/audit/log/note.ts';
import { verifyConsistency } from '../../src/audit/log/proof.ts';
import { signingKeyFrom } from '../../src/core/signing-keys.ts';
import { randomBytesOf } from './random.ts';

const { privateKey } = signingKeyFrom(randomBytesOf('support/tlog-witness')(32));

interface Answer {
  status: number;
  body: string;
  location?: string;
}

/** A witness as C2SP tlog-witness describes it. */
export class TlogWitness {
  readonly name = 'witness.example/w1';
  /** The public key of the witness. */
  readonly key = verifierKey(
    noteVerifier(this.name, createPublicKey(privateKey), signatureTypes.cosignature),
  );
  latest: Checkpoint = { origin: '', size: 0, root: Buffer.alloc(32) };
  /** If set, the witness gives this answer. */
  answer: Answer | null = null;
  readonly statuses: number[] = [];
  /** The public key of the log. */
  logKey = '';
  readonly #now: () => number;
  readonly #server: Server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk) => chunks.push(chunk));
    request.on('end', () => {
      const { status, body, location } = this.answer ?? this.#respond(Buffer.concat(chunks).toString());
      this.statuses.push(status);
      response.writeHead(status, location === undefined ? {} : { location }).end(body);
    });
  });

  /** @param now returns the time in milliseconds */
  constructor(now: () => number = Date.now) {
    this.#now = now;
  }

  listen(): Promise<void> {
    return new Promise((done) => this.#server.listen(0, '127.0.0.1', done));
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  close(): void {
    this.#server.close();
  }

  /** Returns the line with the cosignature of a checkpoint. */
  cosign(text: string): string {
    return signatureLine(cosigner(this.name, privateKey, this.#now), text);
  }

  #respond(body: string): Answer {
    const end = body.indexOf('\n\n');
    const [old, ...lines] = body.slice(0, end).split('\n');
    const oldSize = Number(old?.replace('old ', ''));
    const note = body.slice(end + 2);
    const { text } = openNote(note, [readVerifierKey(this.logKey)]);
    const checkpoint = readCheckpoint(text);
    if (oldSize !== this.latest.size) return { status: 409, body: `${this.latest.size}\n` };
    const proof = lines.map((line) => fromBase64(line) ?? Buffer.alloc(0));
    const isSame = oldSize === checkpoint.size && !checkpoint.root.equals(this.latest.root);
    if (isSame) return { status: 409, body: '' };
    if (!verifyConsistency(this.latest, checkpoint, proof)) return { status: 422, body: '' };
    this.latest = checkpoint;
    return { status: 200, body: this.cosign(text) };
  }
}
