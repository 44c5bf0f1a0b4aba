import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import type { AuditEvent } from 'latchkey';
import { auditEventSchema } from '../../../src/audit/conventions/event-schema.ts';

const compile = (moreDetails: boolean) => {
  // Ajv's strict mode rejects two properties of this schema: its conditions do not repeat the type of `event`, and they
  // require properties that another branch defines.
  const ajv = new Ajv2020({
    allErrors: true,
    strictTypes: false,
    strictRequired: false,
    allowUnionTypes: true,
  });
  formats.default(ajv);
  const validate = ajv.compile(auditEventSchema({ moreDetails }));
  return (event: unknown): string[] =>
    validate(event)
      ? []
      : (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
};

/** Validates an event with the schema in the package. Returns the faults. */
export const publishedFaults = compile(true);

const strictFaults = compile(false);

/** Validates events. A field of `details` that the schema does not describe is also a fault. */
export const faultsOf = (events: readonly AuditEvent[]): string[] =>
  events.flatMap((event) =>
    strictFaults(event).map(
      (fault) => `${event.event} ${event.outcome}: ${fault} in ${JSON.stringify(event)}`,
    ),
  );
