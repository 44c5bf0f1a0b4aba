// The browser runs this script before it paints the page for the first time, so that no page flashes in the other colors.
// It is a file of its own, because the content security policy forbids inline scripts.
import { applyTheme, readTheme } from './preference.ts';

applyTheme(readTheme());
