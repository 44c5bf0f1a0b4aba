import { serveAccounts } from './serve-accounts.ts';

await serveAccounts();
