export type { Export, ExportList } from './exports/contract.ts'
export type { DeadJob, DeadJobList, QueueDepth, QueueList } from './jobs/contract.ts'
export type { KeptMail, KeptMailDetail } from './mailbox/contract.ts'
export type { ReceivedWebhookList } from './received-webhooks/contract.ts'
