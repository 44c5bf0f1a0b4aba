import { Webhook as Verifier } from 'standardwebhooks';
import { expect, test } from 'vitest';
import { messageOf } from '../../src/webhooks/message.ts';
import { newWebhookSecret, signatureOf } from '../../src/webhooks/signature.ts';

const event = {
  id: '0193d5a2-7c1e-7cc3-98c5-c2a1b3d4e5f6',
  at: '2026-01-01T00:00:00.000Z',
  event: 'session.revoke',
  outcome: 'success' as const,
  actor: { type: 'user' as const, id: 'u1', name: 'ada' },
  impersonator: null,
  target: { type: 'session', id: 's1', name: null },
  organizationId: null,
  ip: '192.0.2.1',
  userAgent: null,
  requestId: null,
  details: {},
  count: 1,
};
const source = 'https://example.com';
const send = (secrets: string[], position: string | null = '41') =>
  messageOf({ event, position }, { source, secrets, now: new Date() });

test('the signature is the one of the specification', () => {
  // The example in the specification of Standard Webhooks.
  const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
  const parts = { id: 'msg_p5jXN8AQM9LWM0D4loKWxJek', timestamp: 1614265330, body: '{"test": 2432232314}' };
  expect(signatureOf([secret], parts)).toBe('v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=');
});

test('the package standardwebhooks accepts a message with the secret, and with no other', () => {
  const secret = newWebhookSecret();
  const { headers, body } = send([secret]);
  expect(new Verifier(secret).verify(body, { ...headers })).toEqual(JSON.parse(body));
  expect(() => new Verifier(newWebhookSecret()).verify(body, { ...headers })).toThrow();
  expect(() => new Verifier(secret).verify(body.replace('ada', 'eve'), { ...headers })).toThrow();
});

test('during a rotation, the message has a signature for both secrets', () => {
  const [current, earlier] = [newWebhookSecret(), newWebhookSecret()];
  const { headers, body } = send([current, earlier]);
  for (const secret of [current, earlier]) new Verifier(secret).verify(body, { ...headers });
});

test('the body is a CloudEvent with the event as data', () => {
  const { headers, body } = send([newWebhookSecret()]);
  expect(headers['content-type']).toBe('application/cloudevents+json; charset=utf-8');
  expect(headers['webhook-id']).toBe(event.id);
  expect(JSON.parse(body)).toEqual({
    specversion: '1.0',
    id: event.id,
    type: 'session.revoke',
    source,
    subject: 'session/s1',
    time: event.at,
    sequence: '0000000000000000041',
    datacontenttype: 'application/json',
    data: event,
  });
});

test('the order of sequences as texts is the order of positions', () => {
  const positions = ['0', '9', '10', '99', '100', '9223372036854775807'];
  const sequences = positions.map((position) => JSON.parse(send([], position).body).sequence);
  expect([...sequences].sort()).toEqual(sequences);
});
