// A client of the server in examples/minimal.ts. The server runs in this process with the installed package. Tests run this program
// on every Node.js version. It prints the greetings.
import { deepEqual, equal } from 'node:assert/strict';
import { createAuthClient } from 'latchkey/client';
import { findEmbeddedPostgres } from 'latchkey/embedded';
import { createSoftwareAuthenticator } from 'latchkey/testing';
import { createAgent } from '../../support/agent.ts';

const origin = `http://localhost${process.env.SERVER_ADDR}`;
const password = 'a wet towel in Oslo';
const browser = () => createAgent(origin, origin);
const authenticator = createSoftwareAuthenticator({ origin });

equal(await findEmbeddedPostgres(), null);
const client = createAuthClient({ baseUrl: `${origin}/auth` });
deepEqual(await client.usernameAvailability('Ada'), { username: 'ada', available: true, reason: null });

const first = browser();
equal((await first.get('/')).status, 401);
const signup = await first.post('/auth/passkey/register/start', { username: 'ada' });
const created = await authenticator.create(signup.body.options);
equal((await first.post('/auth/passkey/register/verify', { credential: created })).status, 201);
equal((await first.post('/auth/password/add', { password })).status, 201);

const second = browser();
const login = await second.post('/auth/passkey/login/start', {});
const asserted = await authenticator.get(login.body.options);
equal((await second.post('/auth/passkey/login/verify', { credential: asserted })).status, 200);

// Passwords use bcrypt, whose binary must load in this Node.js version.
const third = browser();
equal((await third.post('/auth/password/login', { username: 'ada', password: 'wrong' })).status, 401);
equal((await third.post('/auth/password/login', { username: 'ada', password })).status, 200);

const greetings = await Promise.all([first, second, third].map(async (page) => (await page.get('/')).body));
process.stdout.write(`${process.version}: ${greetings.join(', ')}\n`);
// Stops the server as Ctrl+C does. The process must exit by itself after the server closes everything.
process.kill(process.pid, 'SIGINT');
