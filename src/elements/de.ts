import { addMessages } from './index.ts';
import { de } from './messages/de.ts';

addMessages('de', de);

export { de };
