// Shows the components in their states. The test bundles this file and opens it without a server.
import '../../../examples/server/web/styles/index.css';
import '../../../examples/server/web/styles/console.css';
import { Ban, Pencil, Trash2 } from 'lucide-static';
import { render } from 'preact';
import { useState } from 'preact/hooks';
import { Avatar } from '../../../examples/server/web/ui/avatar.tsx';
import { Badge, StatusDot } from '../../../examples/server/web/ui/badge.tsx';
import { type Bar, BarChart } from '../../../examples/server/web/ui/bar-chart.tsx';
import { Button, IconButton } from '../../../examples/server/web/ui/button.tsx';
import { Card } from '../../../examples/server/web/ui/card.tsx';
import { AddChip, Chip, Chips, RemovableChip } from '../../../examples/server/web/ui/chip.tsx';
import { CopyButton } from '../../../examples/server/web/ui/copy-button.tsx';
import { Sheet } from '../../../examples/server/web/ui/dialog.tsx';
import { EmptyState } from '../../../examples/server/web/ui/empty-state.tsx';
import { Field } from '../../../examples/server/web/ui/field.tsx';
import { Menu } from '../../../examples/server/web/ui/menu.tsx';
import { Notice } from '../../../examples/server/web/ui/notice.tsx';
import { Person } from '../../../examples/server/web/ui/person.tsx';
import { Pips } from '../../../examples/server/web/ui/pips.tsx';
import { SegmentedControl } from '../../../examples/server/web/ui/segmented-control.tsx';
import { type Column, cellClass, Table } from '../../../examples/server/web/ui/table.tsx';
import { Toaster, toast } from '../../../examples/server/web/ui/toast.tsx';
import { Bad } from '../../../examples/server/web/ui/verdict.tsx';

const longName = 'a'.repeat(64);
const names = ['Ada Lovelace', 'ben.smith', 'عبد العزيز آل سعود', '👩🏽‍🚀 Zoë', longName];

function Gallery() {
  const [period, setPeriod] = useState<'7' | '30'>('7');
  const [isOn, setOn] = useState(false);
  const [isOpen, setOpen] = useState(false);
  const [last, setLast] = useState('nothing');
  return (
    <main class="content">
      <h1>Components</h1>
      <Notice tone="danger" title="The passkey wasn’t added" />
      <Notice tone="warning" title="You’re the last superadmin" />
      <Notice tone="info" title="No passkey was added">
        Try again when you’re ready.
      </Notice>
      <Card>
        <Button variant="primary" icon={Pencil} onClick={() => toast('Saved')}>
          Show message
        </Button>
        <Button onClick={() => toast('ben was disabled', async () => setLast('undone'))}>Disable ben</Button>
        <Button busy busyLabel="Working…">
          Save
        </Button>
        <Button disabledReason="You’re the last superadmin" onClick={() => setLast('pressed')}>
          Leave
        </Button>
        <Button variant="danger-outline">Delete</Button>
        <IconButton icon={Ban} label="Revoke" />
        <CopyButton text="copied text" what="the link" />
        <Button onClick={() => setOpen(true)}>Open sheet</Button>
        <output>{last}</output>
      </Card>
      <Field
        label="Username"
        name="username"
        value="ada"
        onValue={() => {}}
        autocomplete="off"
        invalid
        message={<Bad>Enter another username.</Bad>}
      />
      <SegmentedControl
        label="Period"
        value={period}
        onValue={setPeriod}
        options={[
          ['7', '7 d'],
          ['30', '30 d'],
        ]}
      />
      <Chips label="Filters">
        <Chip isOn={isOn} count={7} onToggle={() => setOn(!isOn)}>
          Admins
        </Chip>
        <RemovableChip onRemove={() => setLast('removed')}>Type: Recovery</RemovableChip>
        <AddChip onAdd={() => setLast('added')}>Actor</AddChip>
      </Chips>
      <p>
        <Badge>Synced</Badge> <Badge tone="info">New</Badge> <StatusDot state="on">Active</StatusDot>{' '}
        <StatusDot state="waiting">Not set up</StatusDot>
      </p>
      <p>
        7 of 10 codes left <Pips left={7} total={10} />
      </p>
      <Table label="People" columns={columns} footer="1–5 of 5">
        {names.map((name) => (
          <tr key={name}>
            <th scope="row">
              <Person username="username" displayName={name} />
            </th>
            <td class={cellClass('medium')}>Active</td>
            <td class="table__menu">
              <Menu
                label={`Actions for ${name}`}
                items={[
                  { icon: Pencil, label: 'Rename', run: () => setLast('renamed') },
                  {
                    icon: Trash2,
                    label: 'Delete…',
                    consequence: 'Can’t be undone',
                    destructive: true,
                    run: () => {},
                  },
                ]}
              />
            </td>
          </tr>
        ))}
      </Table>
      <Avatar name="Analytical Engines" shape="organization" size="large" />
      <EmptyState title="No users match “qwerty”" action={<Button>Clear search</Button>}>
        Searching 7 admins.
      </EmptyState>
      <BarChart
        label="Sign-ins per day"
        series={[
          { name: 'Passkey', color: 1 },
          { name: 'Password or code', color: 2 },
          { name: 'Refused', color: 3, isBelow: true },
        ]}
        bars={bars}
      />
      {isOpen && (
        <Sheet
          title="Invite people"
          onClose={() => setOpen(false)}
          actions={<Button variant="primary">Create</Button>}
        >
          <p>Sheets create.</p>
        </Sheet>
      )}
      <Toaster />
    </main>
  );
}

const columns: Column[] = [
  { name: 'Name', sorted: 'ascending', onSort: () => {} },
  { name: 'Status', shownFrom: 'medium' },
  { name: 'Actions', isHidden: true },
];

const bars: Bar[] = Array.from({ length: 30 }, (_, day) => ({
  label: `Nov ${day + 1}`,
  name: `November ${day + 1}`,
  values: [140 + ((day * 37) % 60), (day * 7) % 25, day === 13 ? 34 : day % 4],
}));

const root = document.getElementById('app');
if (root) render(<Gallery />, root);
