import { createWitness, type Witness } from '../audit/operations/cosign-checkpoint.ts';
import { AuthError } from '../core/errors.ts';
import type { Runtime } from '../core/runtime.ts';
import { endpoints } from './endpoint.ts';
import type { Serve } from './serve.ts';

export const auditWitnessEndpoints = endpoints(
  {
    cosignCheckpoint: {
      on: 'POST /audit-witness/add-checkpoint',
      access: 'none',
      budget: 'write',
      summary: 'Cosign a checkpoint of another audit log',
      description:
        'As C2SP tlog-witness describes it. The service cosigns a checkpoint only if a known key of the log has signed it, and if a proof shows that the log continues the checkpoint that the service cosigned last.',
      text: 'The line `old <size>`, the hashes of a consistency proof, an empty line, and a signed checkpoint (C2SP tlog-witness, add-checkpoint).',
      answers: {
        200: { contentType: 'text/plain', description: 'Signature lines with cosignatures.' },
        409: {
          contentType: 'text/x.tlog.size',
          description:
            'The size of the newest checkpoint that the service has cosigned. Send the request again with this old size.',
        },
        422: { contentType: 'text/plain', description: 'The log does not continue the cosigned checkpoint.' },
      },
      errors: ['not_found', 'forbidden'],
    },
    getCosignedCheckpoint: {
      on: 'GET /audit-witness/:originHash/checkpoint',
      access: 'none',
      budget: 'read',
      summary: 'Get the newest cosigned checkpoint of another audit log',
      description:
        'As C2SP tlog-witness describes it. `originHash` is the SHA-256 hash of the identifier of the log, in lower-case hexadecimal digits.',
      answers: { 200: { contentType: 'text/plain', description: 'A checkpoint with its cosignatures.' } },
      errors: ['not_found'],
    },
  },
  'audit_witness',
);

export function auditWitnessRoutes(serve: Serve, runtime: Runtime): void {
  let created: Witness | undefined;
  // On first use, because most services are not witnesses.
  const witness = () => {
    created ??= createWitness(runtime);
    return created;
  };

  serve(auditWitnessEndpoints.cosignCheckpoint, async (ctx, _by, { text }) => {
    const cosigning = await witness().cosign(await text());
    ctx.type = 'text/plain';
    if (cosigning.outcome === 'cosigned') {
      ctx.body = cosigning.signatures;
    } else if (cosigning.outcome === 'outdated') {
      ctx.status = 409;
      ctx.body = `${cosigning.size}\n`;
      ctx.set('Content-Type', 'text/x.tlog.size');
    } else {
      ctx.status = 422;
      ctx.body = 'The log does not prove that it continues the cosigned checkpoint.\n';
    }
  });

  serve(auditWitnessEndpoints.getCosignedCheckpoint, async (ctx) => {
    const note = await witness().latest(`${ctx.params.originHash}`);
    if (note === null) throw new AuthError('not_found');
    ctx.body = note;
    ctx.type = 'text/plain';
  });
}
