import type { Context } from '#lib/context.ts'
import { foldModules } from '#lib/module.ts'
import * as contract from './contract.ts'
import { analyticsModule } from './analytics/index.ts'
import { auditModule } from './audit/index.ts'
import { checkoutEvents } from './checkout/events.ts'
import { checkoutModule } from './checkout/index.ts'
import { observePayments } from './checkout/metrics.ts'
import { customerEvents } from './customers/events.ts'
import { customersModule } from './customers/index.ts'
import { paymentsEvents } from './events.ts'
import { deleteExpired, eraseOrganizations } from './jobs.ts'
import { invoiceEvents } from './invoices/events.ts'
import { invoicesModule } from './invoices/index.ts'
import { invoicesTopic } from './invoices/invoices.topic.ts'
import { observeInvoices } from './invoices/metrics.ts'
import { ledgerModule } from './ledger/index.ts'
import { ledgerTopic } from './ledger/ledger.topic.ts'
import { merchantsModule } from './merchants/index.ts'
import { movementsModule } from './movements/index.ts'
import { paymentsKinds } from './notification-kinds.ts'
import { ordersModule } from './orders/index.ts'
import { ordersTopic } from './orders/orders.topic.ts'
import { overviewModule } from './overview/index.ts'
import { reconciliationModule } from './reconciliation/index.ts'
import { observeReconciliation } from './reconciliation/metrics.ts'
import { reconciliationTopic } from './reconciliation/reconciliation.topic.ts'
import { reportsModule } from './reports/index.ts'
import { movesRealMoney } from './real-money.ts'
import { receiptsModule } from './receipts/index.ts'
import { refundsModule } from './refunds/index.ts'
import { observeRefunds } from './refunds/metrics.ts'
import * as serviceIdentity from './service.operations.ts'
import { search } from './search.ts'
import { settingsModule } from './settings/index.ts'
import { settlementUpdated } from './settlements/event.ts'
import { settlementsModule } from './settlements/index.ts'
import { observeSettlements } from './settlements/metrics.ts'
import { settlementsTopic } from './settlements/settlements.topic.ts'
import { shell } from './shell.tsx'
import { observeSubscriptions } from './subscriptions/metrics.ts'
import { subscriptionsModule } from './subscriptions/index.ts'
import { paymentsData } from './tenant-data.ts'
import { webhooksModule } from './webhooks/index.ts'
import { stripeEvents } from './webhooks/receive.ts'
import { observeEvents } from './webhooks/metrics.ts'
import { observeRejected } from './webhooks/rejected.ts'
import { providerEventsTopic } from './webhooks/webhooks.topic.ts'
import { widgetTopics } from './widget-topics.ts'

export { listPackages } from './subscriptions/subscriptions.operations.ts'
export { createSubscriptionsClient } from './client/client.ts'
export { createDashboardClient } from './subscriptions/forwarding/dashboard.ts'

export const payments: Context = {
  slug: 'platform-pay',
  group: 'payments',
  home: '/pay',
  host: 'PAY_HOST',
  defaultPaths: ['/api/service-identity'],
  webhooks: [stripeEvents],
  refusesTestKeys: movesRealMoney,
  ...foldModules([
    overviewModule, // The palette lists pages in this order.
    ordersModule,
    checkoutModule,
    refundsModule,
    receiptsModule,
    ledgerModule,
    movementsModule,
    settlementsModule,
    invoicesModule,
    customersModule,
    merchantsModule,
    reportsModule,
    reconciliationModule,
    analyticsModule,
    settingsModule,
    webhooksModule,
    auditModule,
    subscriptionsModule,
    {
      operations: [serviceIdentity],
      contracts: [contract],
      jobs: [deleteExpired],
      schedules: [
        { cron: '0 47 * * * *', job: deleteExpired },
        { cron: '0 18,48 * * * *', job: eraseOrganizations },
      ],
    },
  ]),
  notificationKinds: paymentsKinds,
  erasureJob: eraseOrganizations,
  start: async ({ metrics, database }) => {
    observeRejected(metrics)
    observeEvents(metrics, database)
    observePayments(metrics, database)
    observeRefunds(metrics, database)
    observeSettlements(metrics, database)
    observeInvoices(metrics, database)
    observeReconciliation(metrics, database)
    observeSubscriptions(metrics, database)
    return { stop: async () => {} }
  },
  shell,
  topics: [ordersTopic, invoicesTopic, settlementsTopic, ledgerTopic, reconciliationTopic, providerEventsTopic],
  widgetTopics,
  events: [...paymentsEvents, ...checkoutEvents, settlementUpdated, ...invoiceEvents, ...customerEvents],
  data: paymentsData,
  search,
  seed: { content: async (owner) => (await import('./seed.ts')).seedPayments(owner) },
}
