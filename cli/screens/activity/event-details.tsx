import { Box } from 'ink';
import type { AuditEvent } from 'latchkey';
import type { ReactNode } from 'react';
import { Dialog } from '../../components/dialog.tsx';
import type { KeyHint } from '../../components/key-hints.tsx';
import { Text } from '../../components/text.tsx';
import { useKeys } from '../../hooks/keyboard.tsx';
import { isBack, isOpen } from '../screen.ts';
import { describeActor } from './columns.ts';

const linesOf = (event: AuditEvent): [string, string][] =>
  [
    ['Time', new Date(event.at).toString()],
    ['Outcome', event.count === 1 ? event.outcome : `${event.outcome}, ${event.count} times`],
    ['Actor', [describeActor(event), event.actor.id].filter(Boolean).join('  ')],
    [
      'Target',
      event.target ? [event.target.type, event.target.name, event.target.id].filter(Boolean).join('  ') : '',
    ],
    ['Organization', event.organizationId ?? ''],
    ['Client', [event.ip, event.userAgent].filter(Boolean).join('  ')],
    ['Request', event.requestId ?? ''],
    ...Object.entries(event.details).map(([name, value]) => [name, String(value)]),
  ].filter((line): line is [string, string] => Boolean(line[0] && line[1]));

export const eventDetailsHeight = (event: AuditEvent): number => linesOf(event).length + 2;

const hints: KeyHint[] = [{ keys: 'esc', does: 'back to the list' }];

export function EventDetails({
  event,
  height,
  onClose,
}: {
  event: AuditEvent;
  height: number;
  onClose: () => void;
}): ReactNode {
  useKeys(
    ({ name }) => {
      if (isBack(name) || isOpen(name)) onClose();
    },
    { modal: true },
  );
  return (
    <Dialog title={event.event} keys={hints} height={height}>
      {linesOf(event).map(([name, value]) => (
        <Box key={name} flexShrink={0}>
          <Box width={14} flexShrink={0}>
            <Text dimColor wrap="truncate">
              {name}
            </Text>
          </Box>
          <Text wrap="truncate">{value}</Text>
        </Box>
      ))}
    </Dialog>
  );
}
