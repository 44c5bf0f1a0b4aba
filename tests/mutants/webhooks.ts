import type { Mutant } from './mutant.ts';

export default [
  {
    file: 'src/webhooks/destination.ts',
    replace: "  ['169.254.0.0', 16],\n",
    by: '',
    breaks: 'A webhook reaches the metadata service of a cloud',
    killedBy: ['tests/rules/webhook-destinations.test.ts'],
  },
  {
    file: 'src/webhooks/destination.ts',
    replace: "return family === 'ipv4' || unicast6.check(address, 'ipv6');",
    by: 'return true;',
    breaks: 'A webhook reaches ::1, unique local addresses and NAT64',
    killedBy: ['tests/rules/webhook-destinations.test.ts'],
  },
  {
    file: 'src/webhooks/send.ts',
    replace: 'found.filter(({ address }) => isReachable(address, settings))',
    by: 'found',
    breaks: 'A webhook reaches private addresses by the name of a host',
    killedBy: ['tests/rules/webhook-sending.test.ts'],
  },
  {
    file: 'src/webhooks/send.ts',
    replace: "request.once('socket', (socket) => refuseUnreachable(socket, settings));",
    by: '',
    breaks: 'The address of the open connection is not checked',
    killedBy: ['tests/rules/webhook-sending.test.ts'],
  },
  {
    file: 'src/webhooks/send.ts',
    replace: 'return isEarly ?',
    by: 'return false ?',
    breaks: 'A receiver accepts an event that it has not read',
    killedBy: ['tests/rules/webhook-sending.test.ts'],
  },
  {
    file: 'src/webhooks/send.ts',
    replace: 'socket.destroy();\n        resolve(',
    by: 'void (',
    breaks: 'A receiver that switches protocols stops the sender and keeps the service from closing',
    killedBy: ['tests/rules/webhook-sending.test.ts'],
  },
  {
    file: 'src/webhooks/secrets.ts',
    replace: 'value?.webhookId === webhookId ? value.secret : null',
    by: 'value?.secret ?? null',
    breaks: 'A secret can be moved to another webhook in the database',
    killedBy: ['tests/features/webhooks-delivery.test.ts'],
  },
  {
    file: 'src/webhooks/store/deliveries.ts',
    replace: "and state = 'active' and version = ${version}::integer\n  returning id`;\n\n/** Pauses",
    by: "and state = 'active'\n  returning id`;\n\n/** Pauses",
    breaks: 'A failure of the earlier URL disables the webhook with the new URL',
    killedBy: ['tests/features/webhooks-delivery.test.ts'],
  },
  {
    file: 'src/webhooks/store/deliveries.ts',
    replace: 'and (webhooks.held_until is null or webhooks.held_until <= latchkey.clock())',
    by: '',
    breaks: 'Two processes send the events of a webhook at the same time',
    killedBy: ['tests/features/webhooks-delivery.test.ts'],
  },
  {
    file: 'src/api/webhooks.ts',
    replace: "  access: 'fresh',",
    by: "  access: 'full_session',",
    breaks: 'A stolen session of a superadmin sends audit events to another server',
    killedBy: ['tests/features/authorization-matrix.test.ts'],
  },
] satisfies Mutant[];
