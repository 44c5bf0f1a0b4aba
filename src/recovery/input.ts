import * as v from 'valibot';
import { exactly } from '../http/input.ts';

const text = v.string('expected a text');

export const codeUse = exactly({ username: text, code: text });

export const linkUse = exactly({ token: text });
