import { z } from 'zod'
import type { TypedOperation } from '#lib/operation.ts'
import * as contract from '../contract/payments.ts'
import * as account from '../payments/operations/account.operations.ts'
import * as charges from '../payments/operations/charges.operations.ts'
import * as checkout from '../payments/operations/checkout.operations.ts'
import * as customers from '../payments/operations/customers.operations.ts'
import * as disputes from '../payments/operations/disputes.operations.ts'
import * as events from '../payments/operations/events.operations.ts'
import * as intents from '../payments/operations/payment-intents.operations.ts'
import * as invoices from '../payments/operations/invoices.operations.ts'
import * as methods from '../payments/operations/payment-methods.operations.ts'
import * as payouts from '../payments/operations/payouts.operations.ts'
import * as prices from '../payments/operations/prices.operations.ts'
import * as refunds from '../payments/operations/refunds.operations.ts'
import * as subscriptions from '../payments/operations/subscriptions.operations.ts'
import * as endpoints from '../payments/operations/webhook-endpoints.operations.ts'
import type { GatewayRequests } from './requests.ts'

const caller = 'platform-pay'

interface Payer {
  /** Left out for the platform’s own customers that have none: `accountKey` then is of the platform’s account. */
  organizationId?: string | undefined
  /** With its sandbox credential. */
  test?: boolean
  /**
   * The account that something was made at, of `getAccount`: without its key the request isn't sent, which is 409
   * `provider_account_changed`. `platform`: the platform's own, whatever account the organization has.
   */
  accountKey?: string | undefined
  signal?: AbortSignal
}

interface Keyed extends Payer {
  /** Our row's ID: a repetition with the same key takes effect once. */
  idempotencyKey: string
}

export type PaymentsClient = ReturnType<typeof createPaymentsClient>

/**
 * The payment provider, through the gateway. Amounts are in the currency's smallest unit.
 *
 * @param timeoutMs Longer than the gateway's own limit, so that its problem arrives
 */
export function createPaymentsClient({ request }: GatewayRequests, timeoutMs: number) {
  const send = <Answer extends z.ZodType>(
    { route }: Pick<TypedOperation<unknown, unknown>, 'route'>,
    answer: Answer,
    { organizationId, test, accountKey, signal, idempotencyKey, ...input }: Payer & { idempotencyKey?: string },
  ): Promise<z.input<Answer>> => {
    const { method, path, rest } = addressOf(route, input)
    const isRead = method === 'GET'
    return request({
      caller,
      method,
      path: isRead ? `${path}${queryOf(rest)}` : path,
      answer: decoded(answer),
      timeoutMs,
      ...(organizationId !== undefined && { organizationId }),
      ...(test && { test }),
      ...(accountKey !== undefined && { headers: { 'x-payment-account': accountKey } }),
      ...(signal && { signal }),
      ...(!isRead && method !== 'DELETE' && { sent: rest }),
      ...(idempotencyKey !== undefined && { idempotencyKey }),
    })
  }
  const read =
    <Given, Answer extends z.ZodType>(operation: TypedOperation<Given, unknown>, answer: Answer) =>
    (input: Given & Payer) =>
      send(operation, answer, input)
  const write =
    <Given, Answer extends z.ZodType>(operation: TypedOperation<Given, unknown>, answer: Answer) =>
    (input: Given & Keyed) =>
      send(operation, answer, input)
  return {
    getAccount: read<object, typeof contract.PaymentAccount>(account.getPaymentAccount, contract.PaymentAccount),
    createCheckoutSession: write(checkout.createCheckoutSession, contract.CheckoutSession),
    getCheckoutSession: read(checkout.getCheckoutSession, contract.CheckoutSession),
    listCheckoutSessions: read(checkout.listCheckoutSessions, contract.CheckoutSessionList),
    expireCheckoutSession: write(checkout.expireCheckoutSession, contract.CheckoutSession),
    createPaymentLink: write(checkout.createPaymentLink, contract.PaymentLink),
    getPaymentLink: read(checkout.getPaymentLink, contract.PaymentLink),
    listPaymentLinks: read(checkout.listPaymentLinks, contract.PaymentLinkList),
    updatePaymentLink: write(checkout.updatePaymentLink, contract.PaymentLink),
    createPaymentIntent: write(intents.createPaymentIntent, contract.PaymentIntent),
    getPaymentIntent: read(intents.getPaymentIntent, contract.PaymentIntent),
    listPaymentIntents: read(intents.listPaymentIntents, contract.PaymentIntentList),
    capturePaymentIntent: write(intents.capturePaymentIntent, contract.PaymentIntent),
    cancelPaymentIntent: write(intents.cancelPaymentIntent, contract.PaymentIntent),
    getCharge: read(charges.getPaymentCharge, contract.PaymentCharge),
    createRefund: write(refunds.createProviderRefund, contract.ProviderRefund),
    getRefund: read(refunds.getProviderRefund, contract.ProviderRefund),
    listRefunds: read(refunds.listProviderRefunds, contract.ProviderRefundList),
    cancelRefund: write(refunds.cancelProviderRefund, contract.ProviderRefund),
    getDispute: read(disputes.getProviderDispute, contract.PaymentDispute),
    listDisputes: read(disputes.listProviderDisputes, contract.PaymentDisputeList),
    submitDisputeEvidence: write(disputes.submitDisputeEvidence, contract.PaymentDispute),
    closeDispute: write(disputes.closeProviderDispute, contract.PaymentDispute),
    createTransfer: write(payouts.createTransfer, contract.PaymentTransfer),
    getTransfer: read(payouts.getTransfer, contract.PaymentTransfer),
    listTransfers: read(payouts.listTransfers, contract.PaymentTransferList),
    listTransferReversals: read(payouts.listTransferReversals, contract.PaymentTransferReversalList),
    reverseTransfer: write(payouts.reverseTransfer, contract.PaymentTransferReversal),
    createPayout: write(payouts.createPayout, contract.PaymentPayout),
    getPayout: read(payouts.getPayout, contract.PaymentPayout),
    listPayouts: read(payouts.listPayouts, contract.PaymentPayoutList),
    getBalance: read(payouts.getProviderBalance, contract.PaymentBalance),
    getBalanceTransaction: read(payouts.getBalanceTransaction, contract.PaymentBalanceTransaction),
    listBalanceTransactions: read(payouts.listBalanceTransactions, contract.PaymentBalanceTransactionList),
    listEvents: read(events.listPaymentEvents, contract.PaymentEventList),
    getEvent: read(events.getPaymentEvent, contract.PaymentEvent),
    createWebhookEndpoint: write(endpoints.createWebhookEndpoint, contract.ProviderWebhookEndpoint),
    getWebhookEndpoint: read(endpoints.getWebhookEndpoint, contract.ProviderWebhookEndpoint),
    listWebhookEndpoints: read(endpoints.listWebhookEndpoints, contract.ProviderWebhookEndpointList),
    deleteWebhookEndpoint: write(endpoints.deleteWebhookEndpoint, contract.DeletedProviderObject),
    createCustomer: write(customers.createPaymentCustomer, contract.PaymentCustomer),
    getCustomer: read(customers.getPaymentCustomer, contract.PaymentCustomer),
    updateCustomer: write(customers.updatePaymentCustomer, contract.PaymentCustomer),
    listCustomers: read(customers.listPaymentCustomers, contract.PaymentCustomerList),
    deleteCustomer: write(customers.deletePaymentCustomer, contract.DeletedProviderObject),
    createBillingPortalSession: write(customers.createBillingPortalSession, contract.BillingPortalSession),
    createSetupIntent: write(methods.createSetupIntent, contract.SetupIntent),
    getSetupIntent: read(methods.getSetupIntent, contract.SetupIntent),
    cancelSetupIntent: write(methods.cancelSetupIntent, contract.SetupIntent),
    listPaymentMethods: read(methods.listPaymentMethods, contract.PaymentMethodList),
    detachPaymentMethod: write(methods.detachPaymentMethod, contract.PaymentMethod),
    confirmPaymentIntent: write(intents.confirmPaymentIntent, contract.PaymentIntent),
    createPrice: write(prices.createPaymentPrice, contract.PaymentPrice),
    createSubscription: write(subscriptions.createPaymentSubscription, contract.PaymentSubscription),
    getSubscription: read(subscriptions.getPaymentSubscription, contract.PaymentSubscription),
    listSubscriptions: read(subscriptions.listPaymentSubscriptions, contract.PaymentSubscriptionList),
    updateSubscription: write(subscriptions.updatePaymentSubscription, contract.PaymentSubscription),
    updateSubscriptionQuantity: write(subscriptions.updateSubscriptionQuantity, contract.PaymentSubscription),
    cancelSubscription: write(subscriptions.cancelPaymentSubscription, contract.PaymentSubscription),
    getInvoice: read(invoices.getPaymentInvoice, contract.PaymentInvoice),
    listInvoices: read(invoices.listPaymentInvoices, contract.PaymentInvoiceList),
    previewInvoice: write(invoices.previewInvoice, contract.InvoicePreview),
  }
}

/** What an operation returned before it became JSON: times are dates again. */
const decoded = <Answer extends z.ZodType>(answer: Answer): z.ZodType<z.input<Answer>> =>
  z.custom<z.output<Answer>>().transform((value) => z.encode(answer, value))

const Method = z.enum(['GET', 'POST', 'PATCH', 'DELETE'])

function addressOf(route: string, input: object) {
  const [method, pattern = ''] = route.split(' ')
  const rest = new Map<string, unknown>(Object.entries(input).filter(([, value]) => value !== undefined))
  const path = pattern.replaceAll(/:(\w+)/g, (_, name: string) => {
    const value = rest.get(name)
    rest.delete(name)
    return encodeURIComponent(String(value))
  })
  return { method: Method.parse(method), path, rest: Object.fromEntries(rest) }
}

function queryOf(input: Record<string, unknown>): string {
  const query = new URLSearchParams(
    Object.entries(input).flatMap(([name, value]) => [value].flat().map((each) => [name, String(each)])),
  )
  return query.size > 0 ? `?${query}` : ''
}
