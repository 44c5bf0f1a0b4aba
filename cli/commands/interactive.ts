import { exitCodes } from '../exit-codes.ts';
import { deskOf } from '../open-desk.ts';
import { silence, withService } from '../service.ts';
import { loadSettings } from '../settings.ts';

/** `latchkey` alone, before somebody who sits at a terminal. */
export async function interactive(): Promise<number> {
  loadSettings();
  const { runApp } = await import('../app.tsx');
  await withService(async (service) => runApp(await deskOf(service)), silence);
  return exitCodes.done;
}
