import type { World } from '../support/world.ts'
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
  previewSubscriptionChange: ({ subscriptions }) => [{ subscriptionId: subscriptions, seats: 15 }],
  // In its trial.
  changeSubscription: ({ subscriptions }) => [
    { id: subscriptions, seats: 12, prorationDate: new Date().toISOString(), amountDue: 0 },
  ],
  cancelSubscription: ({ subscriptions }) => [{ id: subscriptions }],
  createSubscriptionPortal: ({ subscriptions }) => [{ id: subscriptions, returnUrl: urls.successUrl }],
  listSubscriptionForwards: () => [{}, { state: 'waiting', limit: 1 }],
  replaySubscriptionForward: ({ subscriptionForwards }) => [{ id: subscriptionForwards }],
}
