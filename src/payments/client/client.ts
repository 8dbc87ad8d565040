import { z } from 'zod'
import * as contract from '../contract/subscriptions.ts'
import { createPaymentsRequests, type PaymentsRequestsOptions } from './requests.ts'

declare module '#lib/call.ts' {
  interface Provided {
    /** Packages and subscriptions at payments. */
    readonly subscriptions: SubscriptionsClient
  }
}

type SubscriptionsClient = ReturnType<typeof createSubscriptionsClient>

type Sent<Schema extends z.ZodType> = z.input<Schema>
type WithId<Schema extends z.ZodType> = Sent<Schema> & { id: string }

/** For the dashboard, never in a transaction. @throws {Problem} as payments, 503 `payments_unavailable` without its response */
export function createSubscriptionsClient(options: PaymentsRequestsOptions) {
  const request = createPaymentsRequests(options)
  const post = <Answer extends z.ZodType>(path: string, answer: Answer, sent: object = {}, idempotencyKey?: string) =>
    request({ method: 'POST', path, answer: received(answer), sent, ...(idempotencyKey && { idempotencyKey }) })
  const get = <Answer extends z.ZodType>(path: string, answer: Answer) =>
    request({ method: 'GET', path, answer: received(answer) })
  const { Subscription } = contract
  return {
    packages: () => get('/api/packages', contract.PackageList),
    /**
     * @param key The same request with it takes effect once
     * @param here The origin of the caller’s request: without a public URL, the provider’s events are sent there
     */
    checkout: (draft: Sent<typeof contract.SubscriptionCheckout>, key: string, here: string | null) =>
      post(
        `${options.isHere && here !== null ? here : ''}/api/subscriptions/checkout`,
        contract.SubscriptionCheckoutResult,
        draft,
        key,
      ),
    /** Reads it at the provider first. */
    check: (id: string) => post(`/api/subscriptions/${id}/check`, contract.SubscriptionState),
    assign: ({ id, organizationId }: Sent<typeof contract.SubscriptionOwner>) =>
      post(`/api/subscriptions/${id}/owner`, Subscription, { organizationId }),
    /** And refunds what was paid. */
    end: (id: string) => post(`/api/subscriptions/${id}/end`, Subscription),
    ofOrganization: (organizationId: string) =>
      get(`/api/subscriptions?${new URLSearchParams({ ownerId: organizationId })}`, contract.SubscriptionList),
    invoices: (id: string, limit: number) =>
      get(`/api/subscriptions/${id}/invoices?limit=${limit}`, contract.SubscriptionInvoiceList),
    preview: (change: Sent<typeof contract.SubscriptionPreviewInput>) =>
      post('/api/subscriptions/preview', contract.SubscriptionPreview, change),
    change: ({ id, ...change }: WithId<typeof contract.SubscriptionChange>) =>
      post(`/api/subscriptions/${id}/change`, Subscription, change),
    cancel: ({ id, resume }: { id: string; resume: boolean }) =>
      post(`/api/subscriptions/${id}/cancel`, Subscription, { resume }),
    payer: (id: string) => get(`/api/subscriptions/${id}/payer`, contract.SubscriptionPayer),
    portal: ({ id, returnUrl }: WithId<typeof contract.SubscriptionPortalInput>) =>
      post(`/api/subscriptions/${id}/portal`, contract.SubscriptionPortal, { returnUrl }),
  }
}

/** As it was sent: the times are texts. */
const received = <Answer extends z.ZodType>(answer: Answer): z.ZodType<z.output<Answer>> =>
  z.custom<z.output<Answer>>((value) => z.safeEncode(answer, z.custom<z.output<Answer>>().parse(value)).success)
