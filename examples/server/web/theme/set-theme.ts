// The browser runs this script before it paints the page for the first time, so that no page flashes in the wrong
// colors. It is a separate file, because the content security policy forbids inline scripts.
import { applyTheme, readTheme } from './preference.ts';

applyTheme(readTheme());
