import type { Input } from '../../operations/samples.ts'

const metadata = { order: 'o-1' }
const id = (value: string) => ({ id: value })
const created = { createdFrom: '2026-11-01T00:00:00Z', createdBefore: '2026-11-22T00:00:00Z' }
const page = { limit: 2, cursor: 'evt_0' }
const address = { line1: 'Weg 1', line2: 'Hof', city: 'Berlin', state: 'BE', postalCode: '10115', country: 'DE' }
const recurring = { interval: 'month', intervalCount: 1 }
const customer = { email: 'c@example.com', name: 'Cleo', phone: '+49 30 1', description: 'Regular', address, metadata }
const paymentIntentData = {
  captureMethod: 'manual',
  description: 'Coffee',
  setupFutureUsage: 'off_session',
  transferGroup: 'o-1',
  metadata,
}
const priceData = {
  currency: 'EUR',
  unitAmount: 350,
  productData: { name: 'Latte', description: 'With oat milk', taxCode: 'txcd_40060003', metadata },
  recurring,
  taxBehavior: 'inclusive',
}
const lineItems = [
  { priceData, quantity: 2 },
  { price: 'price_1', quantity: 1 },
  { priceData: { currency: 'EUR', unitAmount: 1, product: 'prod_1' }, quantity: 1 },
]
const automaticPaymentMethods = { enabled: true, allowRedirects: 'never' }

const evidence = {
  accessActivityLog: 'Signed in',
  billingAddress: 'Weg 1',
  cancellationPolicy: 'file_1',
  cancellationPolicyDisclosure: 'At checkout',
  cancellationRebuttal: 'None',
  customerCommunication: 'file_2',
  customerEmailAddress: 'c@example.com',
  customerName: 'Cleo',
  customerPurchaseIp: '192.0.2.1',
  customerSignature: 'file_3',
  duplicateChargeDocumentation: 'file_4',
  duplicateChargeExplanation: 'Two orders',
  duplicateChargeId: 'ch_2',
  productDescription: 'Coffee',
  receipt: 'file_5',
  refundPolicy: 'file_6',
  refundPolicyDisclosure: 'At checkout',
  refundRefusalExplanation: 'Drunk',
  serviceDate: '2026-11-20',
  serviceDocumentation: 'file_7',
  shippingAddress: 'Weg 1',
  shippingCarrier: 'DHL',
  shippingDate: '2026-11-20',
  shippingDocumentation: 'file_8',
  shippingTrackingNumber: '1',
  uncategorizedFile: 'file_9',
  uncategorizedText: 'Hello',
}

/** Inputs of every payment operation; together those of one have each of its fields. */
export const paymentSamples: Readonly<Record<string, readonly Input[]>> = {
  createPaymentCustomer: [{ ...customer, paymentMethod: 'pm_1' }],
  getPaymentCustomer: [id('cus_1')],
  updatePaymentCustomer: [{ ...id('cus_1'), ...customer, defaultPaymentMethod: 'pm_1' }],
  createBillingPortalSession: [{ customer: 'cus_1', returnUrl: 'https://shop.example/', configuration: 'bpc_1' }],
  createPaymentPrice: [
    {
      currency: 'EUR',
      unitAmount: 350,
      product: 'prod_1',
      recurring,
      taxBehavior: 'inclusive',
      lookupKey: 'seat',
      nickname: 'Seat',
      metadata,
    },
    {
      currency: 'JPY',
      unitAmount: 350,
      productData: { id: 'latte', name: 'Latte', taxCode: 'txcd_40060003', unitLabel: 'cup', metadata },
    },
  ],
  createCheckoutSession: [
    {
      mode: 'payment',
      lineItems,
      successUrl: 'https://shop.example/done?session={CHECKOUT_SESSION_ID}',
      cancelUrl: 'https://shop.example/cart',
      customer: 'cus_1',
      clientReferenceId: 'o-1',
      paymentIntentData,
      expiresAt: '2026-11-22T12:00:00Z',
      locale: 'de',
      metadata,
    },
    {
      mode: 'subscription',
      lineItems: [{ price: 'price_1', quantity: 3 }],
      successUrl: 'https://shop.example/done',
      customerEmail: 'c@example.com',
      subscriptionData: { trialPeriodDays: 14, metadata },
    },
    { mode: 'setup', successUrl: 'https://shop.example/done', customer: 'cus_1' },
  ],
  getCheckoutSession: [id('cs_test_1')],
  listCheckoutSessions: [{ ...page, ...created, paymentIntent: 'pi_1', paymentLink: 'plink_1', status: 'complete' }],
  expireCheckoutSession: [id('cs_test_1')],
  createPaymentLink: [
    {
      lineItems,
      afterCompletion: { type: 'redirect', redirect: { url: 'https://shop.example/done' } },
      restrictions: { completedSessions: { limit: 1 } },
      paymentIntentData,
      metadata,
    },
  ],
  getPaymentLink: [id('plink_1')],
  listPaymentLinks: [page],
  updatePaymentLink: [{ ...id('plink_1'), active: false, metadata }],
  createPaymentIntent: [
    {
      amount: 700,
      currency: 'EUR',
      customer: 'cus_1',
      paymentMethod: 'pm_1',
      automaticPaymentMethods,
      captureMethod: 'manual',
      confirm: true,
      offSession: true,
      setupFutureUsage: 'off_session',
      returnUrl: 'https://shop.example/done',
      description: 'Coffee',
      receiptEmail: 'c@example.com',
      statementDescriptorSuffix: 'COFFEE',
      transferGroup: 'o-1',
      metadata,
    },
  ],
  getPaymentIntent: [id('pi_1')],
  confirmPaymentIntent: [
    { ...id('pi_1'), paymentMethod: 'pm_1', offSession: false, returnUrl: 'https://shop.example/done' },
  ],
  listPaymentIntents: [{ ...page, ...created, customer: 'cus_1' }],
  capturePaymentIntent: [{ ...id('pi_1'), amountToCapture: 350, finalCapture: true, metadata }],
  cancelPaymentIntent: [{ ...id('pi_1'), cancellationReason: 'requested_by_customer' }],
  createSetupIntent: [
    {
      customer: 'cus_1',
      paymentMethod: 'pm_1',
      automaticPaymentMethods,
      usage: 'off_session',
      confirm: true,
      returnUrl: 'https://shop.example/done',
      description: 'Card on file',
      metadata,
    },
  ],
  getSetupIntent: [id('seti_1')],
  cancelSetupIntent: [{ ...id('seti_1'), cancellationReason: 'abandoned' }],
  listPaymentMethods: [{ limit: 2, cursor: 'pm_0', customer: 'cus_1', type: 'card' }],
  detachPaymentMethod: [id('pm_1')],
  createProviderRefund: [
    { paymentIntent: 'pi_1', amount: 200, reason: 'requested_by_customer', reverseTransfer: true, metadata },
    { charge: 'ch_1' },
  ],
  getProviderRefund: [id('re_1')],
  listProviderRefunds: [{ ...page, ...created, paymentIntent: 'pi_1', charge: 'ch_1' }],
  cancelProviderRefund: [id('re_1')],
  getPaymentCharge: [id('ch_1')],
  createTransfer: [
    {
      amount: 1500,
      currency: 'EUR',
      destination: 'acct_1',
      description: 'Batch',
      sourceTransaction: 'ch_1',
      transferGroup: 'b-77',
      metadata,
    },
  ],
  getTransfer: [id('tr_1')],
  listTransfers: [{ ...page, ...created, destination: 'acct_1', transferGroup: 'b-77' }],
  listTransferReversals: [{ ...id('tr_1'), ...page }],
  reverseTransfer: [{ ...id('tr_1'), amount: 500, description: 'Returned', metadata }],
  createPayout: [
    {
      account: 'acct_1',
      amount: 1500,
      currency: 'EUR',
      destination: 'ba_1',
      method: 'standard',
      description: 'Batch',
      statementDescriptor: 'BATCH 77',
      metadata,
    },
  ],
  getPayout: [{ ...id('po_1'), account: 'acct_1' }],
  listPayouts: [{ ...page, ...created, account: 'acct_1', status: 'paid' }],
  getProviderBalance: [{ account: 'acct_1' }],
  listBalanceTransactions: [
    { ...page, ...created, account: 'acct_1', payout: 'po_1', source: 'ch_1', currency: 'EUR' },
  ],
  getBalanceTransaction: [{ ...id('txn_1'), account: 'acct_1' }],
  getProviderDispute: [id('dp_1')],
  listProviderDisputes: [{ ...page, ...created, paymentIntent: 'pi_1', charge: 'ch_1' }],
  submitDisputeEvidence: [{ ...id('dp_1'), evidence, submit: true, metadata }],
  closeProviderDispute: [id('dp_1')],
  createPaymentSubscription: [
    {
      customer: 'cus_1',
      items: [{ price: 'price_1', quantity: 3 }],
      defaultPaymentMethod: 'pm_1',
      paymentBehavior: 'default_incomplete',
      trialPeriodDays: 14,
      cancelAtPeriodEnd: false,
      metadata,
    },
  ],
  getPaymentSubscription: [id('sub_1')],
  listPaymentSubscriptions: [{ ...page, customer: 'cus_1', status: 'all' }],
  updatePaymentSubscription: [
    {
      ...id('sub_1'),
      cancelAtPeriodEnd: true,
      defaultPaymentMethod: 'pm_1',
      prorationBehavior: 'none',
      trialEnd: '2026-12-01T00:00:00Z',
      metadata,
    },
  ],
  updateSubscriptionQuantity: [
    { ...id('sub_1'), quantity: 5, prorationBehavior: 'always_invoice' },
    { ...id('sub_1'), quantity: 5, item: 'si_1' },
  ],
  cancelPaymentSubscription: [{ ...id('sub_1'), invoiceNow: true, prorate: true }],
  previewInvoice: [
    {
      customer: 'cus_1',
      subscription: 'sub_1',
      currency: 'EUR',
      subscriptionDetails: {
        items: [{ id: 'si_1', price: 'price_1', quantity: 5, deleted: false }],
        prorationBehavior: 'create_prorations',
        prorationDate: '2026-11-22T00:00:00Z',
        cancelAtPeriodEnd: false,
      },
    },
  ],
  listPaymentEvents: [{ ...page, ...created, account: 'acct_1', types: ['charge.refunded'], delivered: false }],
  getPaymentEvent: [{ ...id('evt_1'), account: 'acct_1' }],
  createWebhookEndpoint: [
    {
      url: 'https://pay.example/webhooks/stripe?endpoint=1',
      enabledEvents: ['*', 'charge.refunded'],
      description: 'Atrium',
      connect: true,
      metadata,
    },
  ],
  listWebhookEndpoints: [{ limit: 2, cursor: 'we_0' }],
  getWebhookEndpoint: [id('we_1')],
  deleteWebhookEndpoint: [id('we_1')],
}
