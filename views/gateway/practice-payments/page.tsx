import { SelectField, TextField, type Option } from '#views/ui/form.tsx'
import { BehaviorCard, Count, PracticePage, ReceivedList, ReceivedRow } from '../practice-parts.tsx'

interface Behavior {
  webhooks: string
  answers: string
  payouts: string
  times?: number
}

interface PaymentObject {
  id: string
  object: string
  createdAt: string
  data: Record<string, unknown>
}

interface ObjectsProps {
  items: PaymentObject[]
}

export interface PracticePaymentsPageProps extends ObjectsProps {
  behavior: Behavior
}

export const PracticePaymentsPage = ({ items, behavior }: PracticePaymentsPageProps) => (
  <PracticePage
    title="Practice payments"
    note="Stripe’s API: /dev/payments/v1, with any key that begins with sk_test_"
    list={<PaymentObjects items={items} />}
    behavior={<PracticePaymentsBehaviorCard behavior={behavior} />}
  />
)

export const PaymentObjects = ({ items }: ObjectsProps) => (
  <ReceivedList
    id="objects"
    url="/dev/payments/api/objects"
    label="Objects, newest first"
    empty={{ title: 'No objects yet', text: 'Payments, refunds and events appear here.' }}
    rows={items.map(({ id, object, data, createdAt }) => (
      <ReceivedRow
        title={id}
        facts={[object, textOf(data['type']), textOf(data['status'])]}
        content={JSON.stringify(data)}
        at={createdAt}
      />
    ))}
  />
)

const textOf = (value: unknown): string | null => (typeof value === 'string' ? value : null)

const webhooks: Option[] = [
  { value: 'ok', label: 'Send once' },
  { value: 'duplicate', label: 'Send twice' },
  { value: 'reorder', label: 'Send out of order' },
  { value: 'delay', label: 'Send after 2 seconds' },
  { value: 'lose', label: 'Never send' },
]

const answers: Option[] = [
  { value: 'ok', label: 'Respond' },
  { value: 'timeout_after_success', label: 'Never respond, but make the change' },
  { value: 'fail', label: 'Fail without a change' },
]

const payouts: Option[] = [
  { value: 'ok', label: 'Pay' },
  { value: 'return_late', label: 'Pay, and return later' },
  { value: 'unknown', label: 'Stay pending' },
]

export const PracticePaymentsBehaviorCard = ({ behavior }: { behavior: Behavior }) => (
  <BehaviorCard url="/dev/payments/behavior">
    <SelectField label="Webhooks" name="webhooks" options={webhooks} value={behavior.webhooks} />
    <SelectField label="Responses" name="answers" options={answers} value={behavior.answers} />
    <SelectField label="Payouts" name="payouts" options={payouts} value={behavior.payouts} />
    <Count label="Times" name="times" value={behavior.times} placeholder="always" />
    <TextField label="Only for secret key" name="apiKey" autocomplete="off" placeholder="sk_test_…" />
  </BehaviorCard>
)
