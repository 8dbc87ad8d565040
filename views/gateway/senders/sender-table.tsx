import type { Sender } from '#gateway/types'
import { Button } from '#views/ui/button.tsx'
import { Empty } from '#views/ui/feedback.tsx'
import { StatusMark, type StatusLook } from '#views/ui/marks.tsx'
import { MenuItem, RowMenu } from '#views/ui/overlays.tsx'
import { amount } from '../money.ts'
import {
  changesSenders,
  deleteDialog,
  editDialog,
  newSenderDialog,
  SenderDialogs,
  TestDialog,
  testDialog,
} from './dialogs.tsx'
import { refreshing } from './refresh.ts'

interface SenderTableProps {
  senders: Sender[]
  canCreate: boolean
}

export const SenderTable = ({ senders, canCreate }: SenderTableProps) => (
  <section
    id="sender-table"
    class="card"
    aria-labelledby="sender-identities"
    {...(senders.some(({ state }) => state === 'waiting') && refreshing('/api/senders'))}
  >
    <header>
      <h2 id="sender-identities">Sender identities</h2>
      {canCreate ? (
        <span class="push">
          <Button label="New sender" icon="plus" size="sm" commandfor={newSenderDialog} command="show-modal" />
        </span>
      ) : null}
    </header>
    {senders.length === 0 ? (
      <Empty
        icon="mail"
        title="No senders yet"
        text="Add a domain, then create the addresses that apps send from."
        small
      />
    ) : (
      <table class="table inventory" data-list>
        <caption class="visually-hidden">Sender identities</caption>
        <thead>
          <tr>
            <th scope="col">Sender</th>
            <th scope="col">Used for</th>
            <th scope="col" data-num>
              Sent, 30 days
            </th>
            <th scope="col" data-num>
              Bounced
            </th>
            <th scope="col">State</th>
            <th scope="col">
              <span class="visually-hidden">Actions</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {senders.map((sender) => (
            <SenderRow sender={sender} canTest={canCreate && isTestable(sender)} />
          ))}
        </tbody>
      </table>
    )}
    {senders.map((sender) => (
      <>
        {canCreate && isTestable(sender) ? <TestDialog sender={sender} /> : null}
        {sender.can.update ? <SenderDialogs sender={sender} /> : null}
      </>
    ))}
  </section>
)

/** Only services send from the platform’s address. */
const isTestable = ({ kind }: Sender): boolean => kind !== 'platform'

const looks: Record<Sender['state'], StatusLook> = {
  ready: { state: 'published', icon: 'circle-check', word: 'Ready' },
  waiting: { state: 'waiting', icon: 'hourglass', word: 'Waiting for DNS' },
  paused: { state: 'failed', icon: 'circle-alert', word: 'Paused' },
}

const SenderRow = ({ sender, canTest }: { sender: Sender; canTest: boolean }) => {
  const { name, address, usedFor, sent, bounced, state, stateReason, isDefault, kind, waiting } = sender
  const notes = [
    isDefault ? 'Default' : '',
    kind === 'platform' ? 'Provided by the platform' : '',
    stateReason ?? '',
    waiting > 0 ? `${amount(waiting)} waiting` : '',
  ].filter((note) => note !== '')
  return (
    <tr>
      <td data-at="title">
        <b class="wrap-anywhere" safe>
          {name}
        </b>{' '}
        <small class="wrap-anywhere" safe>
          {address}
        </small>
      </td>
      <td class="wide-only wrap-anywhere" safe>
        {usedFor ?? ''}
      </td>
      <td data-num class="wide-only" safe>
        {amount(sent)}
      </td>
      <td data-num class="wide-only">
        {sent > 0 ? `${Math.round((bounced / sent) * 1000) / 10}%` : ''}
      </td>
      <td data-at="sub">
        <StatusMark {...looks[state]} />
        {notes.length > 0 ? (
          <small class="why wrap-anywhere" safe>
            {notes.join('. ')}
          </small>
        ) : null}
      </td>
      <td data-at="menu">{canTest || sender.can.update ? <SenderMenu sender={sender} canTest={canTest} /> : null}</td>
    </tr>
  )
}

const SenderMenu = ({ sender, canTest }: { sender: Sender; canTest: boolean }) => {
  const change = { 'hx-patch': `/api/senders/${sender.id}`, ...changesSenders }
  return (
    <RowMenu id={`sender-menu-${sender.id}`} label={`Actions for ${sender.address}`}>
      {canTest ? (
        <MenuItem label="Send a test" icon="send" commandfor={testDialog(sender)} command="show-modal" />
      ) : null}
      {sender.can.update ? (
        <>
          <MenuItem label="Edit" icon="pen-line" commandfor={editDialog(sender)} command="show-modal" />
          {sender.isDefault ? null : (
            <MenuItem label="Make default" icon="circle-dot" {...change} hx-vals='{"isDefault":true}' />
          )}
          {sender.state === 'paused' ? (
            <MenuItem label="Resume sending" icon="rotate-cw" {...change} hx-vals='{"paused":false}' />
          ) : (
            <MenuItem label="Pause" icon="pause" {...change} hx-vals='{"paused":true}' />
          )}
          <hr />
          <MenuItem label="Delete" icon="trash-2" danger commandfor={deleteDialog(sender)} command="show-modal" />
        </>
      ) : null}
    </RowMenu>
  )
}
