import { defineConfig } from 'latchkey';
import { password } from './passport-password.ts';

export default defineConfig({ password });
