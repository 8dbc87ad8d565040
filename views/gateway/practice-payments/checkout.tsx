import type { Children } from '@kitajs/html'
import { Button } from '#views/ui/button.tsx'
import { Notice } from '#views/ui/feedback.tsx'
import { SelectField, TextField, type Option } from '#views/ui/form.tsx'

const testCards: Option[] = [
  { value: '4242424242424242', label: 'Succeeds · 4242' },
  { value: '4000002760003184', label: 'Requires 3-D Secure · 3184' },
  { value: '4000000000009995', label: 'Insufficient funds · 9995' },
  { value: '4000000000000259', label: 'Disputed later · 0259' },
  { value: '4000000000007726', label: 'Refunds are pending first · 7726' },
  { value: '4000000000005126', label: 'Refunds fail later · 5126' },
]

interface Line {
  name: string
  amount: string
}

interface CheckoutProps {
  action: string
  lines: Line[]
  /** Null when a card is only saved. */
  total: string | null
  email: string
  canAbandon: boolean
  error?: string
}

export const CheckoutCard = ({ action, lines, total, email, canAbandon, error }: CheckoutProps) => (
  <HostedForm
    action={action}
    title={total === null ? 'Save a card' : `Pay ${total}`}
    text="Practice payment: no money is moved."
  >
    {error ? <Notice tone="danger" role="alert" text={error} /> : null}
    {lines.length > 0 ? (
      <ul class="list" aria-label="Items">
        {lines.map(({ name, amount }) => (
          <li>
            <span class="grow wrap-anywhere" safe>
              {name}
            </span>
            <span class="nowrap" safe>
              {amount}
            </span>
          </li>
        ))}
      </ul>
    ) : null}
    <TextField label="Email" name="email" type="email" autocomplete="email" value={email} />
    <SelectField label="Test card" name="number" options={testCards} />
    <div class="actions">
      <Button label={total === null ? 'Save' : 'Pay'} type="submit" variant="primary" name="outcome" value="pay" />
      <Button label="Decline" type="submit" name="outcome" value="decline" />
      {canAbandon ? <Button label="Abandon" type="submit" variant="ghost" name="outcome" value="abandon" /> : null}
    </div>
  </HostedForm>
)

export const AuthenticateCard = ({ action, subject }: { action: string; subject: string }) => (
  <HostedForm
    action={action}
    title="Confirm with your bank"
    text={`Your bank asks you to confirm ${subject}. This is 3-D Secure practice.`}
  >
    <div class="actions">
      <Button label="Complete" type="submit" variant="primary" name="outcome" value="complete" />
      <Button label="Fail" type="submit" name="outcome" value="fail" />
    </div>
  </HostedForm>
)

interface HostedFormProps {
  action: string
  title: string
  text: string
  children: Children
}

const HostedForm = ({ action, title, text, children }: HostedFormProps) => (
  <form class="card" method="post" action={action}>
    <header>
      <h1 safe>{title}</h1>
      <p class="muted" safe>
        {text}
      </p>
    </header>
    {children}
  </form>
)

export const HostedMessage = ({ title, text }: { title: string; text: string }) => (
  <section class="card">
    <header>
      <h1 safe>{title}</h1>
    </header>
    <p safe>{text}</p>
  </section>
)
