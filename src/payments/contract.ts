export { AuditEvent } from '#lib/audit/contract.ts'
export { AnalyticsQuery, PaymentAnalytics } from './contract/analytics.ts'
export { PaymentAuditOptions } from './contract/audit.ts'
export {
  Invoice,
  InvoiceCounts,
  InvoiceDetails,
  InvoiceFilterOptions,
  InvoiceKind,
  InvoiceList,
  InvoiceNumbering,
  InvoicePaymentLink,
  InvoiceStatus,
  InvoiceSummary,
  InvoiceTab,
} from './contract/invoices.ts'
export {
  LedgerAccount,
  LedgerBalance,
  LedgerBalanceList,
  LedgerDifference,
  LedgerEntry,
  LedgerFilter,
  LedgerHead,
  LedgerKind,
  LedgerTransaction,
  LedgerTransactionList,
  LedgerVerification,
} from './contract/ledger.ts'
export {
  Order,
  OrderCounts,
  OrderDetails,
  OrderEvent,
  OrderFilterOptions,
  OrderLine,
  OrderMovement,
  OrderList,
  OrderStatus,
  TaxMode,
  TaxRounding,
} from './contract/orders.ts'
export {
  CaptureMethod,
  Dispute,
  DisputeStatus,
  NewOrderPayment,
  OrderPayment,
  OrderPaymentList,
  PaymentMode,
  PaymentStatus,
} from './contract/payments.ts'
export {
  Refund,
  RefundCounts,
  RefundDetails,
  RefundFilter,
  RefundList,
  RefundReason,
  RefundStatus,
} from './contract/refunds.ts'
export { PaymentSettings } from './contract/settings.ts'
export {
  LostEvents,
  ProviderEndpoint,
  ProviderEndpoints,
  ProviderEventFilter,
  ProviderEventState,
  ReceivedProviderEvent,
  ReceivedProviderEventDetails,
  ReceivedProviderEventList,
  ReplayedEvents,
} from './contract/webhooks.ts'
export {
  DisputeReport,
  FeeReport,
  PayoutReport,
  Period,
  PeriodFilter,
  PeriodList,
  RefundReport,
  ReportCheck,
  ReportFilter,
  ReportOptions,
  ReportStep,
  Statement,
  Takings,
  TakingsFilter,
  TakingsRow,
  TakingsTotals,
  TaxReport,
} from './contract/reports.ts'
export {
  ComparedBalance,
  DifferenceKind,
  DifferenceStatus,
  ProposedCorrection,
  Reconciliation,
  ReconciliationDifference,
  ReconciliationDifferenceFilter,
  ReconciliationDifferenceList,
  ReconciliationRun,
  ReconciliationRunList,
  RunState,
} from './contract/reconciliation.ts'
export { AccountChart, ExportAccount } from './contract/accounting.ts'
export { Receipt, ReceiptStatus } from './contract/receipts.ts'
export { PaymentAttention, PaymentsDashboard } from './contract/dashboard.ts'
export {
  BatchFailure,
  BatchStatus,
  CallbackSecrets,
  ItemStatus,
  NewCallbackSecret,
  NewSettlement,
  Settlement,
  SettlementCallback,
  SettlementDetails,
  SettlementFilter,
  SettlementItem,
  SettlementItemFilter,
  SettlementItemList,
  SettlementList,
} from './contract/settlements.ts'
export { Address } from './contract/address.ts'
export { NewPaymentMethodSetup, SavedPaymentMethod, SavedPaymentMethodList } from './contract/payment-methods.ts'
export {
  CustomerActivity,
  CustomerActivityList,
  CustomerChoice,
  CustomerChoiceList,
} from './contract/customer-activity.ts'
export { Customer, CustomerCounts, CustomerDetails, CustomerKind, CustomerList } from './contract/customers.ts'
export { Merchant, MerchantList, Venue, VenueList, VenueSales } from './contract/merchants.ts'
export {
  CurrentSubscription,
  PackageList,
  Subscription,
  SubscriptionCheckoutResult,
  SubscriptionForward,
  SubscriptionForwardList,
  SubscriptionInvoiceList,
  SubscriptionList,
  SubscriptionPortal,
  SubscriptionPreview,
  SubscriptionWebhook,
} from './contract/subscriptions.ts'
