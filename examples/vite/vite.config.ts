import { defineConfig } from 'vite';

export default defineConfig({
  root: import.meta.dirname,
  // Without `strictPort`, Vite takes another port if 5173 is in use, and the service refuses that origin.
  server: { port: 5173, strictPort: true },
});
