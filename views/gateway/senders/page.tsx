import type { SenderDomainList, SenderList } from '#gateway/types'
import { Button, ButtonLink } from '#views/ui/button.tsx'
import { Notice } from '#views/ui/feedback.tsx'
import { PageHeader } from '#views/ui/page-header.tsx'
import { addDomainDialog, AddDomainDialog, NewSenderDialog } from './dialogs.tsx'
import { DomainList } from './domain.tsx'
import { SenderTable } from './sender-table.tsx'

export interface SendersProps {
  senders: SenderList
  domains: SenderDomainList
  test?: { id: string; to: string }
}

export const Senders = ({ senders, domains, test }: SendersProps) => {
  const own = domains.items.filter(({ kind }) => kind !== 'platform')
  return (
    <div id="senders" class="stack" style="--gap: var(--space-6)">
      {test ? (
        <Notice
          title={`Test email to ${test.to} queued`}
          text="The email log shows what the mail server says."
          role="status"
        >
          <div class="actions">
            <ButtonLink label="Show in the email log" size="sm" href={`/gateway/mail/${test.id}`} />
          </div>
        </Notice>
      ) : null}
      <SenderTable senders={senders.items} canCreate={senders.can.create} />
      <DomainList domains={domains.items} />
      {senders.can.create ? <NewSenderDialog domains={own} /> : null}
    </div>
  )
}

export const SendersPage = (props: SendersProps) => (
  <>
    <PageHeader title="Senders">
      {props.domains.can.create ? (
        <div class="actions">
          <Button label="Add domain" icon="plus" variant="primary" commandfor={addDomainDialog} command="show-modal" />
        </div>
      ) : null}
    </PageHeader>
    <div class="page stack" style="--measure: none">
      <Senders {...props} />
    </div>
    {props.domains.can.create ? <AddDomainDialog /> : null}
  </>
)
