import { de } from './messages/de.ts';
import { addMessages } from './messages/languages.ts';

addMessages('de', de);

export { de };
