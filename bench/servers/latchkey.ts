import { createAuthService } from 'latchkey';
import { guardedApp } from '../support/guarded-app.ts';
import { serve } from './serve.ts';

const isPreparing = process.argv[2] === 'prepare';
const auth = await createAuthService({ migrate: isPreparing });
if (isPreparing) {
  await auth.close();
  process.exit(0);
}

serve(guardedApp(auth).callback());
