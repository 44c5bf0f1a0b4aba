import consoleEn from '../../examples/server/web/messages/console-en.ts';
import linkEn from '../../examples/server/web/messages/link-en.ts';
import { setMessages } from '../../examples/server/web/messages/text.ts';
import visitorEn from '../../examples/server/web/messages/visitor-en.ts';

/**
 * Loads all English messages of the pages, for tests of what the pages say. Each test file calls this, because test files
 * share modules, and another file can have loaded other messages.
 */
export const showEnglish = (): void => setMessages({ ...visitorEn, ...linkEn, ...consoleEn }, 'en-GB');
