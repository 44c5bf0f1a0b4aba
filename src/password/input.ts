import * as v from 'valibot';
import { exactly } from '../http/input.ts';

const password = v.string('expected a text');

export const newPassword = exactly({ password });

export const passwordLogin = exactly({ username: v.string('expected a text'), password });

export const passwordStepUp = exactly({ password });
