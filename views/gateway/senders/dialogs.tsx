import type { Sender, SenderDomain } from '#gateway/types'
import { Button } from '#views/ui/button.tsx'
import { Form, SelectField, TextField } from '#views/ui/form.tsx'
import { Dialog, DialogButtons } from '#views/ui/overlays.tsx'
import { domainKinds } from './words.ts'

/** The region that every change of senders and domains replaces. */
export const changesSenders = { 'hx-target': '#senders', 'hx-swap': 'outerMorph' } as const

export const newSenderDialog = 'new-sender'
export const addDomainDialog = 'add-domain'
export const editDialog = ({ id }: Sender): string => `edit-sender-${id}`
export const testDialog = ({ id }: Sender): string => `test-sender-${id}`
export const deleteDialog = ({ id }: Sender): string => `delete-sender-${id}`
export const deleteDomainDialog = ({ id }: SenderDomain): string => `delete-domain-${id}`

export const AddDomainDialog = () => (
  <Dialog id={addDomainDialog} title="Add a domain">
    <Form hx-post="/api/sender-domains" {...changesSenders}>
      <div class="body">
        <TextField
          label="Domain"
          name="domain"
          id="domain-name"
          required
          autofocus
          autocomplete="off"
          autocapitalize="none"
          placeholder="mail.example.com"
          hint="A subdomain keeps the reputation of your main domain apart."
        />
        <SelectField
          label="Send through"
          name="kind"
          id="domain-kind"
          options={Object.entries(domainKinds).flatMap(([value, label]) =>
            value === 'platform' ? [] : [{ value, label }],
          )}
        />
        <p class="muted">
          Next you see the DNS records to add. Nothing is sent from the domain before they are correct.
        </p>
      </div>
      <DialogButtons dialog={addDomainDialog} submit="Add domain" />
    </Form>
  </Dialog>
)

export const NewSenderDialog = ({ domains }: { domains: SenderDomain[] }) =>
  domains.length > 0 ? (
    <NewSenderForm domains={domains} />
  ) : (
    <Dialog id={newSenderDialog} title="New sender">
      <div class="body">
        <p>Senders are addresses at a domain of yours. Add the domain first.</p>
      </div>
      <footer>
        <Button label="Cancel" variant="ghost" commandfor={newSenderDialog} command="close" />
        <Button label="Add domain" variant="primary" commandfor={addDomainDialog} command="show-modal" />
      </footer>
    </Dialog>
  )

const NewSenderForm = ({ domains }: { domains: SenderDomain[] }) => (
  <Dialog id={newSenderDialog} title="New sender">
    <Form hx-post="/api/senders" {...changesSenders}>
      <div class="body">
        <TextField
          label="Address"
          name="address"
          id="sender-address"
          type="email"
          required
          autofocus
          autocomplete="off"
          placeholder={`hello@${domains[0]?.domain ?? 'mail.example.com'}`}
          hint={`At one of your domains: ${domains.map(({ domain }) => domain).join(', ')}`}
        />
        <TextField
          label="Name"
          name="name"
          id="sender-name"
          required
          maxlength="100"
          hint="Shown to recipients as the sender."
        />
        <SenderFields id="new" />
      </div>
      <DialogButtons dialog={newSenderDialog} submit="Create sender" />
    </Form>
  </Dialog>
)

const SenderFields = ({ id, sender }: { id: string; sender?: Sender }) => (
  <>
    <TextField
      label="Reply-to"
      name="replyTo"
      id={`${id}-reply-to`}
      type="email"
      value={sender?.replyTo ?? undefined}
      hint="Replies go to the sender when empty."
    />
    <TextField
      label="Used for"
      name="usedFor"
      id={`${id}-used-for`}
      maxlength="100"
      value={sender?.usedFor ?? undefined}
      hint="Such as receipts and orders."
    />
  </>
)

export const SenderDialogs = ({ sender }: { sender: Sender }) => (
  <>
    <Dialog id={editDialog(sender)} title={`Edit ${sender.address}`}>
      <Form hx-patch={`/api/senders/${sender.id}`} {...changesSenders}>
        <div class="body">
          <TextField
            label="Name"
            name="name"
            id={`name-${sender.id}`}
            value={sender.name}
            required
            autofocus
            maxlength="100"
          />
          <SenderFields id={sender.id} sender={sender} />
        </div>
        <DialogButtons dialog={editDialog(sender)} submit="Save" />
      </Form>
    </Dialog>
    <Dialog id={deleteDialog(sender)} title={`Delete ${sender.address}?`}>
      <Form hx-delete={`/api/senders/${sender.id}`} {...changesSenders}>
        <div class="body">
          <p>Apps can’t send from this address anymore. Emails that wait for it are not sent. The log stays.</p>
        </div>
        <DialogButtons dialog={deleteDialog(sender)} submit="Delete" danger focusCancel />
      </Form>
    </Dialog>
  </>
)

export const TestDialog = ({ sender }: { sender: Sender }) => (
  <Dialog id={testDialog(sender)} title="Send a test">
    <Form hx-post={`/api/senders/${sender.id}/test`} {...changesSenders}>
      <div class="body">
        <p class="muted wrap-anywhere" safe>{`From ${sender.name} <${sender.address}>`}</p>
        <TextField label="To" name="to" id={`to-${sender.id}`} type="email" required autofocus autocomplete="email" />
      </div>
      <DialogButtons dialog={testDialog(sender)} submit="Send" />
    </Form>
  </Dialog>
)

export const DeleteDomainDialog = ({ domain }: { domain: SenderDomain }) => (
  <Dialog id={deleteDomainDialog(domain)} title={`Delete ${domain.domain}?`}>
    <Form hx-delete={`/api/sender-domains/${domain.id}`} {...changesSenders}>
      <div class="body">
        <p>Its senders are deleted too. You can remove the DNS records afterwards.</p>
      </div>
      <DialogButtons dialog={deleteDomainDialog(domain)} submit="Delete" danger focusCancel />
    </Form>
  </Dialog>
)
