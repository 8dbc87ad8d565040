export * from './contract/access.ts'
export * from './contract/credentials.ts'
export * from './contract/families.ts'
export * from './contract/limits.ts'
export {
  CatalogModel,
  Lifecycle,
  Governance,
  ModelDetails,
  ModelPreferences,
  ModelPrice,
  ModelPriceList,
  ModelSource,
  NamedRoute,
  RateName,
  Route,
  UseCase,
  UsedModel,
} from './contract/models.ts'
export * from './contract/bluesky.ts'
export * from './contract/social.ts'
export {
  DeadLetter,
  DeadLetterList,
  EmailEventType,
  EmailMessage,
  EmailReceipt,
  EmailTemplate,
  EmailTemplateList,
  MailDetail,
  MailLog,
  MailEvent,
  MailLogEntry,
  MailStatus,
  RecipientState,
  Suppression,
  SuppressionList,
} from './contract/email.ts'
export {
  RecordPurpose,
  RecordState,
  Sender,
  SenderDomain,
  SenderDomainList,
  SenderDomainRecord,
  SenderList,
} from './contract/senders.ts'
export * from './contract/spending.ts'
export * from './contract/usage-events.ts'
export { ReportDimension, UsageReport } from './contract/usage-report.ts'
export * from './contract/usage.ts'
export * from './contract/telemetry.ts'
export * from './contract/usage-verify.ts'
export * from './contract/rerate.ts'
export { VideoChannel, VideoQuota, VideoQuotaBucket, VideoQuotaLimit, VideoUpload } from './contract/video.ts'
export { Widget } from '#lib/widget.ts'
