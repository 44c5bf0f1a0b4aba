import { defineConfig } from 'latchkey';
import { password } from './better-auth-password.ts';

export default defineConfig({
  usernames: { format: 'email' },
  password,
});
