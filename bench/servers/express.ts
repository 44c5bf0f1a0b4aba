import { randomUUID } from 'node:crypto';
import { promisify } from 'node:util';
import {
  type AuthenticationResponseJSON,
  generateAuthenticationOptions,
  generateRegistrationOptions,
  type RegistrationResponseJSON,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
} from '@simplewebauthn/server';
import bcrypt from 'bcrypt';
import connectPgSimple from 'connect-pg-simple';
import express, { type Request, type RequestHandler } from 'express';
import session from 'express-session';
import passport from 'passport';
import { Strategy } from 'passport-custom';
import pg from 'pg';
import { origin, rpId } from '../throughput/identity.ts';
import { serve } from './serve.ts';

// An app as a careful developer writes it by hand, with Express, express-session, connect-pg-simple, Passport and
// SimpleWebAuthn. The app has no audit log, rate limits or recovery. Each query has a name, so each connection prepares
// the query only once.
const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL });

interface Account {
  id: string;
  username: string;
  role: string;
}

declare global {
  namespace Express {
    interface User extends Account {}
  }
}

declare module 'express-session' {
  interface SessionData {
    challenge?: string;
    pending?: { id: string; username: string };
  }
}

if (process.argv[2] === 'prepare') {
  await prepare();
  process.exit(0);
}

const PgSession = connectPgSimple(session);
const app = express();
app.disable('x-powered-by');
app.disable('etag');
app.set('trust proxy', 1);
app.use(express.json());
app.use(
  session({
    // A session ends thirty days after its start, and a check writes nothing.
    store: new PgSession({ pool, disableTouch: true }),
    secret: process.env.SESSION_SECRET ?? '',
    name: '__Host-session',
    resave: false,
    saveUninitialized: false,
    cookie: { httpOnly: true, secure: true, sameSite: 'lax', maxAge: 30 * 24 * 60 * 60 * 1000 },
  }),
);
app.use(passport.session());

passport.serializeUser((user, done) => done(null, user.id));
passport.deserializeUser((id: string, done) => {
  findAccount(id).then((account) => done(null, account ?? false), done);
});
passport.use('passkey', new Strategy(settling(authenticateWithPasskey)));
passport.use('password', new Strategy(settling(authenticateWithPassword)));

const requireSession: RequestHandler = (request, response, next) => {
  if (request.user) next();
  else response.status(401).json({ error: 'not signed in' });
};
const requireAdmin: RequestHandler = (request, response, next) => {
  if (request.user?.role === 'admin') next();
  else response.status(403).json({ error: 'not for you' });
};
const answerUser: RequestHandler = (request, response) => {
  response.json({ user: request.user });
};

app.get('/me', requireSession, answerUser);
app.get('/admin', requireSession, requireAdmin, answerUser);

app.post('/signup/start', async (request, response) => {
  const username = `${request.body.username}`;
  const pending = { id: randomUUID(), username };
  const options = await generateRegistrationOptions({
    rpName: 'Bench',
    rpID: rpId,
    userID: new TextEncoder().encode(pending.id),
    userName: username,
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  });
  request.session.challenge = options.challenge;
  request.session.pending = pending;
  response.json(options);
});

app.post('/signup/verify', async (request, response) => {
  const { pending } = request.session;
  const challenge = takeChallenge(request);
  if (!pending || !challenge) return void response.status(400).json({ error: 'begin again' });
  const { verified, registrationInfo } = await verifyRegistrationResponse({
    response: request.body as RegistrationResponseJSON,
    expectedChallenge: challenge,
    expectedOrigin: origin,
    expectedRPID: rpId,
  });
  if (!verified || !registrationInfo) return void response.status(400).json({ error: 'not verified' });
  const { credential } = registrationInfo;
  const { rows } = await pool.query<Account>({
    name: 'sign-up',
    text: `
      with account as (insert into users (id, username) values ($1, $2) returning id, username, role),
        passkey as (
          insert into passkeys (id, user_id, public_key, counter, transports)
          select $3, id, $4, $5, $6 from account
        )
      select * from account`,
    values: [
      pending.id,
      pending.username,
      credential.id,
      Buffer.from(credential.publicKey),
      credential.counter,
      credential.transports ?? [],
    ],
  });
  await signIn(request, rows[0] as Account);
  response.status(201).json({ user: request.user });
});

app.post('/login/start', async (request, response) => {
  const options = await generateAuthenticationOptions({ rpID: rpId, userVerification: 'required' });
  request.session.challenge = options.challenge;
  response.json(options);
});
// The part of a login that Passport does: it creates a new session id and saves the session.
app.post('/login/verify', passport.authenticate('passkey'), answerUser);
app.post('/login/password', passport.authenticate('password'), answerUser);

app.post('/password', requireSession, async (request, response) => {
  const hash = await bcrypt.hash(`${request.body.password}`, 12);
  await pool.query('update users set password_hash = $2 where id = $1', [request.user?.id, hash]);
  response.status(201).json({ user: request.user });
});

serve(app);

async function authenticateWithPasskey(request: Request): Promise<Account | null> {
  const challenge = takeChallenge(request);
  const credential = request.body as AuthenticationResponseJSON;
  const { rows } = await pool.query<Account & { publicKey: Buffer; counter: number; transports: [] }>({
    name: 'passkey',
    text: `
      select users.id, username, role, public_key as "publicKey", counter, transports
      from passkeys join users on users.id = user_id where passkeys.id = $1`,
    values: [`${credential.id}`],
  });
  const [found] = rows;
  if (!found || !challenge) return null;
  const { publicKey, counter, transports, ...account } = found;
  const { verified, authenticationInfo } = await verifyAuthenticationResponse({
    response: credential,
    expectedChallenge: challenge,
    expectedOrigin: origin,
    expectedRPID: rpId,
    credential: { id: credential.id, publicKey: new Uint8Array(publicKey), counter, transports },
  });
  if (!verified) return null;
  await pool.query({
    name: 'passkey-used',
    text: 'update passkeys set counter = $2, last_used_at = now() where id = $1',
    values: [credential.id, authenticationInfo.newCounter],
  });
  return account;
}

async function authenticateWithPassword(request: Request): Promise<Account | null> {
  const { rows } = await pool.query<Account & { hash: string | null }>({
    name: 'password',
    text: 'select id, username, role, password_hash as hash from users where username = $1',
    values: [`${request.body.username}`],
  });
  const [found] = rows;
  if (!found?.hash || !(await bcrypt.compare(`${request.body.password}`, found.hash))) return null;
  const { hash: _, ...account } = found;
  return account;
}

async function findAccount(id: string): Promise<Account | undefined> {
  const { rows } = await pool.query<Account>({
    name: 'account',
    text: 'select id, username, role, created_at as "createdAt" from users where id = $1',
    values: [id],
  });
  return rows[0];
}

/** A challenge is single-use. It is removed from the saved session, even if the ceremony fails. */
function takeChallenge(request: Request): string | undefined {
  const { challenge } = request.session;
  delete request.session.challenge;
  delete request.session.pending;
  return challenge;
}

async function signIn(request: Request, account: Account): Promise<void> {
  await promisify<Account, void>(request.logIn.bind(request))(account);
}

function settling(authenticate: (request: Request) => Promise<Account | null>) {
  return (request: Request, done: (error: unknown, account?: Account | false) => void): void => {
    authenticate(request).then((account) => done(null, account ?? false), done);
  };
}

async function prepare(): Promise<void> {
  await pool.query(`
    create table users (
      id uuid primary key,
      username text not null unique,
      role text not null default 'user',
      password_hash text,
      created_at timestamptz not null default now()
    );
    create table passkeys (
      id text primary key,
      user_id uuid not null references users on delete cascade,
      public_key bytea not null,
      counter bigint not null,
      transports text[] not null,
      created_at timestamptz not null default now(),
      last_used_at timestamptz
    );
    create index on passkeys (user_id);
    create table session (sid varchar primary key, sess json not null, expire timestamp(6) not null);
    create index on session (expire);
  `);
}
