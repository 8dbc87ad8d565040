import type { World } from '../support/world.ts'
import { newId } from '#lib/ids.ts'
import { worldCheckout } from '../support/world/subscriptions.ts'
import type { Input } from './samples.ts'

const urls = { successUrl: 'https://atrium.example/done', cancelUrl: 'https://atrium.example/back' }

export const subscriptionSamples: Record<string, (resources: World['ada']['things'], world: World) => Input[]> = {
  listPackages: () => [{}],
  createPackagePrice: () => [{ package: 'ten', unitAmount: 2_300, activeFrom: '2099-01-01T00:00:00Z' }],
  createSubscriptionCheckout: ({ buyers }) => [
    { package: 'five', seats: 3, ownerId: buyers, email: 'billing@shop.example', name: 'Shop', ...urls },
  ],
  listSubscriptions: ({ organizations }) => [{ ownerId: organizations }, { ownerId: organizations, limit: 1 }],
  getCurrentSubscription: () => [{}],
  getSubscription: ({ subscriptions }) => [{ id: subscriptions }],
  listSubscriptionInvoices: ({ subscriptions }) => [{ id: subscriptions, limit: 1 }],
  checkSubscriptionNow: ({ subscriptions }) => [{ id: subscriptions }],
  assignSubscription: ({ subscriptions, organizations }) => [{ id: subscriptions, organizationId: organizations }],
  endSubscription: ({ subscriptions }) => [{ id: subscriptions }],
  createCheckout: () => [
    { package: 'three', seats: 4, email: 'c@example.com', organizationName: 'Corner Bakery' },
    { package: 'free', email: 'd@example.com', organizationName: 'Dice' },
  ],
  getCheckout: () => [{ id: worldCheckout }],
  signInFromCheckout: () => [{ id: worldCheckout }],
  getCheckoutOffer: () => [{ id: worldCheckout }],
  acceptCheckout: () => [{ id: worldCheckout }],
  receiveSubscriptionChange: ({ buyers }) => [change(buyers)],
  getBilling: ({ organizations }) => [{ id: organizations }],
  previewBilling: ({ organizations }) => [{ id: organizations, seats: 15 }],
  changeBilling: ({ organizations }) => [
    { id: organizations, seats: 13, prorationDate: new Date().toISOString(), amountDue: 0 },
  ],
  cancelBilling: ({ organizations }) => [{ id: organizations }, { id: organizations, resume: true }],
  getBillingPayer: ({ organizations }) => [{ id: organizations }],
  createBillingPortal: ({ organizations }) => [{ id: organizations }],
  orderPackage: ({ organizations }) => [{ id: organizations, package: 'five', seats: 20 }],
  reconcileAllSeats: ({ organizations }) => [{}, { organizationId: organizations }],
  previewSubscriptionChange: ({ subscriptions }) => [{ subscriptionId: subscriptions, seats: 15 }],
  // In its trial.
  changeSubscription: ({ subscriptions }) => [
    { id: subscriptions, seats: 12, prorationDate: new Date().toISOString(), amountDue: 0 },
  ],
  cancelSubscription: ({ subscriptions }) => [{ id: subscriptions }],
  getSubscriptionPayer: ({ subscriptions }) => [{ id: subscriptions }],
  createSubscriptionPortal: ({ subscriptions }) => [{ id: subscriptions, returnUrl: urls.successUrl }],
  listSubscriptionForwards: () => [{}, { state: 'waiting', limit: 1 }],
  replaySubscriptionForward: ({ subscriptionForwards }) => [{ id: subscriptionForwards }],
}

const at = '2026-11-21T10:20:00.000Z'

const change = (ownerId: string): Input => ({
  id: newId(),
  type: 'subscription.started',
  sequence: 1,
  ownerType: 'organization',
  ownerId,
  subscription: {
    id: newId(),
    ownerType: 'organization',
    ownerId,
    package: 'five',
    seats: 3,
    currency: 'EUR',
    unitAmount: 1_400,
    status: 'active',
    access: 'full',
    trialEndsAt: null,
    currentPeriodStartsAt: at,
    currentPeriodEndsAt: null,
    cancelAtPeriodEnd: false,
    cancelAt: null,
    endedAt: null,
    keptUntil: null,
    dunning: null,
    createdAt: at,
  },
})
