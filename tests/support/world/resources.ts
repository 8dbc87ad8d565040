import { createECDH, randomBytes } from 'node:crypto'
import type { DisputeResource } from './disputes.ts'
import type { InvoiceResource } from './invoices.ts'
import type { ReconciliationResource } from './reconciliation.ts'
import type { SubscriptionResource } from './subscriptions.ts'
import { newId } from '#lib/ids.ts'
import type { Caller } from './callers.ts'

/**
 * The ids of a resident's objects: `posts` is a draft, `part` the second post of the thread, `members` another person
 * of the organization, `payments` an authorized one, `otherPayments` one that isn’t paid, `agents` a program, `uploads` one without any data, `videos` a complete one.
 */
export type Resources = Record<Collection, string>

type Collection =
  | 'brands'
  | 'accounts'
  | 'posts'
  | 'organizations'
  | 'threads'
  | 'scheduled'
  | 'unsavedPosts'
  | 'calendarFeeds'
  | 'postComments'
  | 'reviewLinks'
  | 'otherReviewLinks'
  | 'deletedPosts'
  | 'part'
  | 'media'
  | 'linkedMedia'
  | 'imageGenerations'
  | 'uploads'
  | 'videos'
  | 'members'
  | 'agents'
  | 'invitations'
  | 'domains'
  | 'overrides'
  | 'ownInvitations'
  | 'editedPosts'
  | 'commentedPosts'
  | 'confirmedPosts'
  | 'heirs'
  | 'doomed'
  | 'erasable'
  | 'erasableAccounts'
  | 'keys'
  | 'notifications'
  | 'pushBrowsers'
  | 'notificationsToResolve'
  | 'notificationsToReopen'
  | 'workflows'
  | 'workflowRuns'
  | 'workflowRunsToRetry'
  | 'workflowRunsToCancel'
  | 'sessions'
  | 'passkeys'
  | 'apps'
  | 'submittedApps'
  | 'otherApps'
  | 'actions'
  | 'otherActions'
  | 'appKeys'
  | 'otherAppKeys'
  | 'identities'
  | 'households'
  | 'paidOrders'
  | 'refunds'
  | 'refundsToApprove'
  | 'refundsToDecline'
  | 'refundsToCancel'
  | 'refundsUnknown'
  | 'refundsToRetry'
  | DisputeResource
  | InvoiceResource
  | ReconciliationResource
  | SubscriptionResource
  | 'householdInvitations'
  | 'otherHouseholdInvitations'
  | 'webhooks'
  | 'deliveries'
  | 'exports'
  | 'limits'
  | 'usage'
  | 'senderDomains'
  | 'senders'
  | 'emails'
  | 'deadLetters'
  | 'otherDeadLetters'
  | 'videoUploads'
  | 'suppressions'
  | 'emailTemplates'
  | 'orders'
  | 'otherOrders'
  | 'payments'
  | 'otherPayments'
  | 'providerEvents'
  | 'providerEndpoints'
  | 'merchants'
  | 'otherMerchants'
  | 'venues'
  | 'customers'
  | 'otherCustomers'
  | 'paymentMethods'
  | 'otherPaymentMethods'
  | 'ledgerTransactions'
  | 'settlements'
  | 'waitingSettlements'
  | 'otherWaitingSettlements'
  | 'unknownSettlements'
  | 'unknownItems'

/** A PNG of one pixel, as base64. */
export const dot = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

/** The fields of a composer. */
export const unsavedContent = {
  texts: ['Not saved yet'],
  connectionIds: [],
  media: [],
  tags: '',
  when: 'at',
  date: '2099-07-01',
  time: '10:20',
  timeZone: 'Europe/Berlin',
}

/** Milliseconds until the world's scheduled posts are due: longer than a snapshot of it is kept. */
const untilDue = 48 * 60 * 60 * 1000

interface Owner extends Caller {
  id: string
  organizationId: string
}

/** Creates a brand, an account, an image, a draft, a scheduled post, a thread and the other objects of an owner. */
export async function addResources(
  { fetch, fetchJson, id, organizationId }: Owner,
  organizationName: string,
): Promise<Resources> {
  const make = async (route: string, body: Record<string, unknown>) =>
    fetchJson<{
      id: string
      checkoutUrl: string
      threadId: string
      items: { id: string }[]
      connection: { id: string }
    }>(route, body, 201)
  const { id: brandId } = await make('POST /api/brands', {
    name: `${organizationName} Coffee`,
    reviewPolicy: { approvals: 0, allowAuthor: true },
    queueSlots: [{ day: 4, time: '10:00' }],
  })
  const { connection } = await make('POST /api/integrations/sandbox/connect', {
    brandId,
    handle: organizationName.toLowerCase(),
  })
  const post = { brandId, provider: 'sandbox' }
  const draft = await make('POST /api/posts', { ...post, text: `A draft of ${organizationName}` })
  const scheduledAt = new Date(Date.now() + untilDue).toISOString()
  const later = { ...post, status: 'scheduled', scheduledAt }
  const scheduled = await make('POST /api/posts', { ...later, text: `A plan of ${organizationName}` })
  const credential = { label: 'main', secret: { apiKey: 'sk-of-the-world' } }
  // Nothing listens there. With a single provider, any model would be its own.
  for (const provider of ['house', 'annex'])
    await fetchJson(`PUT /api/credentials/${provider}`, { ...credential, baseUrl: 'http://127.0.0.1:9/v1' }, 200)
  const unsavedPosts = newId()
  await fetchJson(`PUT /api/unsaved-posts/${unsavedPosts}`, { brandId, content: unsavedContent }, 200)
  await fetchJson(`POST /api/posts/${draft.id}/editors`, { tabId: newId() }, 200)
  const comment = await make(`POST /api/posts/${draft.id}/comments`, { text: 'The price?' })
  const feed = await make('POST /api/calendar/feeds', { brandId })
  const forGuests = { brandId, postIds: [draft.id], expiresInDays: 90 }
  const reviewLink = await make('POST /api/review-links', { ...forGuests, canDecide: true, guestName: 'Petra Voss' })
  const otherReviewLink = await make('POST /api/review-links', forGuests)
  const { id: deletedPosts } = await make('POST /api/posts', { ...post, text: `Deleted by ${organizationName}` })
  await fetchJson(`DELETE /api/posts/${deletedPosts}`, {}, 204)
  const thread = await make('POST /api/posts', { ...later, thread: [{ text: 'One' }, { text: 'Two' }] })
  const invitation = await make(`POST /api/organizations/${organizationId}/invitations`, {
    email: `guest@${organizationName.toLowerCase()}.example`,
    role: 'editor',
  })
  const domain = await make(`POST /api/organizations/${organizationId}/domains`, {
    domain: `${organizationName.toLowerCase()}.test`,
  })
  const agent = await make(`POST /api/organizations/${organizationId}/agents`, {
    name: `Robot of ${organizationName}`,
    role: 'viewer',
  })
  const image = await make('POST /api/media', { brandId, file: dot, alt: `A dot of ${organizationName}` })
  const generation = await make('POST /api/images', { brandId, prompt: `A cup of ${organizationName}` })
  const upload = await make('POST /api/uploads', { brandId, length: 8, name: 'roast.mp4' })
  const key = { name: 'CI', service: 'platform-socialize', scopes: ['posts.read'] }
  const { id: keyId } = await make('POST /api/api-keys', key)
  const webhook = await make('POST /api/webhooks', {
    name: `Shop of ${organizationName}`,
    url: 'https://shop.example.com/webhooks',
    events: ['post.published'],
  })
  const delivery = await make(`POST /api/webhooks/${webhook.id}/test`, {})
  const limit = await make('POST /api/limits', {
    scope_type: 'application',
    scope_value: 'mail',
    family: 'ai',
    period: 'day',
    limitNanoUsd: 5_000_000_000,
    mode: 'observe',
  })
  await make('POST /api/credentials', { ...credential, provider: 'practice', mode: 'test' })
  const senderDomain = await make('POST /api/sender-domains', {
    domain: `mail.${organizationName.toLowerCase()}.example`,
  })
  const sender = await make('POST /api/senders', {
    address: `hello@mail.${organizationName.toLowerCase()}.example`,
    name: `${organizationName} Coffee`,
  })
  const suppression = await make('POST /api/suppressions', {
    address: `gone@${organizationName.toLowerCase()}.example`,
  })
  const emailTemplate = await make('POST /api/email-templates', {
    name: 'receipt',
    subject: 'Receipt {{number}}',
    text: `Thank you for your order at ${organizationName}.`,
  })
  const household = await make('POST /api/households', { name: `${organizationName} home` })
  const orders = await Promise.all([1, 2, 3, 4].map(() => make('POST /api/orders', coffee)))
  const [order, otherOrder, authorized, unpaid] = orders.map((each) => each.id)
  const payment = await make('POST /api/payments', { orderId: authorized, captureMethod: 'manual' })
  await payAtProvider(fetch, payment.checkoutUrl)
  await fetchJson(`POST /api/payments/${payment.id}/check`, {}, 200)
  const stall = await make('POST /api/merchants', { name: `Stall of ${organizationName}` })
  const venue = await make('POST /api/venues', { merchantId: stall.id, name: `Market of ${organizationName}` })
  const [customer, otherCustomer] = await Promise.all(
    ['Lena', 'Theo'].map((name) => make('POST /api/customers', { name: `${name} of ${organizationName}` })),
  )
  const methods = await saveCards({ fetch, fetchJson }, customer?.id ?? '')
  const otherPayment = await make('POST /api/payments', { orderId: unpaid })
  return {
    brands: brandId,
    media: image.id,
    // Of the review link; only where a test adds it.
    linkedMedia: image.id,
    imageGenerations: generation.id,
    uploads: upload.id,
    videos: '',
    accounts: connection.id,
    posts: draft.id,
    scheduled: scheduled.id,
    unsavedPosts,
    calendarFeeds: feed.id,
    postComments: comment.id,
    reviewLinks: reviewLink.id,
    otherReviewLinks: otherReviewLink.id,
    deletedPosts,
    organizations: organizationId,
    threads: thread.threadId,
    part: thread.items[1]?.id ?? '',
    members: id,
    agents: agent.id,
    invitations: invitation.id,
    domains: domain.id,
    overrides: '',
    ownInvitations: invitation.id,
    // Whose approved text was changed; only where a test adds one.
    editedPosts: draft.id,
    commentedPosts: id,
    confirmedPosts: id,
    heirs: id,
    doomed: id,
    erasable: id,
    erasableAccounts: id,
    keys: keyId,
    ...(await addNotifications({ fetchJson })),
    ...(await addWorkflow({ fetchJson })),
    sessions: '',
    passkeys: '',
    apps: '',
    submittedApps: '',
    otherApps: '',
    actions: '',
    otherActions: '',
    appKeys: '',
    otherAppKeys: '',
    identities: '',
    households: household.id,
    paidOrders: '',
    reconciliationRuns: '',
    differences: '',
    differencesToExplain: '',
    differencesToRecord: '',
    differencesToCheck: '',
    refunds: '',
    refundsToApprove: '',
    refundsToDecline: '',
    refundsToCancel: '',
    refundsUnknown: '',
    refundsToRetry: '',
    disputes: '',
    disputesToAnswer: '',
    invoices: '',
    invoicesToEdit: '',
    invoicesToDelete: '',
    invoicesToIssue: '',
    invoicesToVoid: '',
    invoicesToMark: '',
    invoicesToPay: '',
    subscriptions: '',
    subscriptionForwards: '',
    buyers: '',
    householdInvitations: '',
    otherHouseholdInvitations: '',
    webhooks: webhook.id,
    deliveries: delivery.id,
    exports: '',
    limits: limit.id,
    usage: '',
    senderDomains: senderDomain.id,
    senders: sender.id,
    emails: '',
    deadLetters: '',
    otherDeadLetters: '',
    videoUploads: '',
    suppressions: suppression.id,
    emailTemplates: emailTemplate.id,
    orders: order ?? '',
    otherOrders: otherOrder ?? '',
    payments: payment.id,
    otherPayments: otherPayment.id,
    providerEvents: '',
    providerEndpoints: '',
    merchants: '',
    otherMerchants: stall.id,
    venues: venue.id,
    customers: customer?.id ?? '',
    otherCustomers: otherCustomer?.id ?? '',
    paymentMethods: methods[0]?.id ?? '',
    otherPaymentMethods: methods[1]?.id ?? '',
    ledgerTransactions: '',
    settlements: '',
    waitingSettlements: '',
    otherWaitingSettlements: '',
    unknownSettlements: '',
    unknownItems: '',
  }
}

export function newPushBrowser(endpoint = `https://push.example.net/${newId()}`) {
  const p256dh = createECDH('prime256v1').generateKeys().toString('base64url')
  return { endpoint, expirationTime: null, keys: { p256dh, auth: randomBytes(16).toString('base64url') } }
}

/** Three actions: one open, one to resolve, and one that is done. */
async function addNotifications({ fetchJson }: Pick<Caller, 'fetchJson'>) {
  const post = async (cause: string) =>
    (
      await fetchJson<{ id: string }>(
        'POST /api/notifications',
        { cause, title: `Check ${cause}`, reason: 'A customer asked for it.', href: '/pay/orders' },
        201,
      )
    ).id
  const [notifications, toResolve, toReopen] = [await post('order 1'), await post('order 2'), await post('order 3')]
  const until = new Date(Date.now() + 24 * 60 * 60_000).toISOString()
  await fetchJson(`POST /api/notifications/${toResolve}/snooze`, { until }, 204)
  await fetchJson(`POST /api/notifications/${toReopen}/resolve`, {}, 204)
  await fetchJson('PUT /api/dashboard/layout', { widgets: [{ app: 'platform-pay', columns: 6, hidden: false }] }, 200)
  await fetchJson('PUT /api/dashboard/settings', { widgets: [{ app: 'platform-pay', columns: 6, hidden: false }] }, 200)
  await fetchJson('PUT /api/notification-preferences', { frequency: 'daily' }, 200)
  await fetchJson('PUT /api/chat-webhook', { url: 'https://hooks.chat.example/services/T01/B02/world' }, 200)
  const { items } = await fetchJson<{ items: { id: string }[] }>('POST /api/push-browsers', newPushBrowser(), 201)
  return {
    notifications,
    notificationsToResolve: toResolve,
    notificationsToReopen: toReopen,
    pushBrowsers: items[0]?.id ?? '',
  }
}

/** With two runs that wait; `workflowRunsToRetry` is a row of the world. */
async function addWorkflow({ fetchJson }: Pick<Caller, 'fetchJson'>) {
  const { id } = await fetchJson<{ id: string }>(
    'POST /api/workflows',
    {
      name: 'Yearly review',
      trigger: { type: 'schedule', cron: '0 9 1 1 *', timeZone: 'Europe/Berlin' },
      steps: [{ type: 'action', title: 'Review the year', reason: 'It is over.', href: '/dashboard' }],
    },
    201,
  )
  const start = () => fetchJson<{ id: string }>(`POST /api/workflows/${id}/run`, {}, 201)
  const [run, toCancel] = [await start(), await start()]
  return { workflows: id, workflowRuns: run.id, workflowRunsToRetry: '', workflowRunsToCancel: toCancel.id }
}

const coffee = { currency: 'EUR', lines: [{ name: 'Coffee', unitAmount: 350 }] }

/** Two, on the practice provider’s page. */
async function saveCards({ fetch, fetchJson }: Pick<Caller, 'fetch' | 'fetchJson'>, customerId: string) {
  const customer = `/api/customers/${customerId}`
  for (let cards = 0; cards < 2; cards += 1) {
    const { url } = await fetchJson<{ url: string }>(`POST ${customer}/setup-intents`, {}, 201)
    await payAtProvider(fetch, url)
  }
  return (await fetchJson<{ items: { id: string }[] }>(`POST ${customer}/payment-methods/check`)).items
}

/** As the customer, on the practice provider’s page. */
export async function payAtProvider(send: Caller['fetch'], url: string, number = '4242424242424242'): Promise<void> {
  const form = new URLSearchParams({ outcome: 'pay', email: 'c@example.com', number }).toString()
  await send(`POST ${new URL(url).pathname}`, form, { 'content-type': 'application/x-www-form-urlencoded' })
}

/** Creates a draft with actions and keys, and two apps that wait for review. */
export async function addApps({ fetchJson }: Caller, resources: Resources): Promise<void> {
  const make = async (route: string, body: object) =>
    (await fetchJson<{ id: string }>(`POST /api/developers/${route}`, body, 201)).id
  const orders = [{ permission: 'orders:read', description: 'View orders' }]
  const app = { description: 'Shows orders.', webUrl: 'https://orders.example', permissions: orders }
  const makeApp = (name: string) => make('apps', { ...app, name, scopes: ['platform-socialize/posts.read'] })
  resources.apps = await makeApp('Order desk')
  resources.actions = await make(`apps/${resources.apps}/actions`, listOrders)
  resources.otherActions = await make(`apps/${resources.apps}/actions`, {
    ...listOrders,
    name: 'findOrder',
    path: '/find',
  })
  resources.appKeys = await make(`apps/${resources.apps}/keys`, { ...testKey, name: 'Desk' })
  resources.otherAppKeys = await make(`apps/${resources.apps}/keys`, { ...testKey, name: 'Counter' })
  for (const name of ['submittedApps', 'otherApps'] as const) {
    resources[name] = await makeApp(name)
    await make(`apps/${resources[name]}/submission`, {})
  }
}

/** The fields of an action of a developer's app, and a key. */
export const listOrders = {
  name: 'listOrders',
  summary: 'List orders',
  method: 'GET',
  path: '/api/orders',
  permission: 'orders:read',
  inputSchema: { type: 'object', properties: { day: { type: 'string' } } },
}
const testKey = { service: 'platform-socialize', scopes: ['posts.read'], mode: 'test' }
