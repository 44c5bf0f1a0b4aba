import consoleEn from '../../examples/server/web/messages/console-en.ts';
import linkEn from '../../examples/server/web/messages/link-en.ts';
import { setMessages } from '../../examples/server/web/messages/text.ts';
import visitorEn from '../../examples/server/web/messages/visitor-en.ts';

/** Loads all English messages of the pages, for tests of what the pages say. */
export const showEnglish = (): void => setMessages({ ...visitorEn, ...linkEn, ...consoleEn }, 'en-GB');

showEnglish();
