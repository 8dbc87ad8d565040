import type { Module } from '#lib/module.ts'
import * as operations from './subscriptions.operations.ts'
import { forwardChanges, sweepForwards } from './forwarding/deliver.ts'
import * as forwards from './forwarding/forwards.operations.ts'
import { checkSubscription, sweepSubscriptions } from './sweep.ts'

export const subscriptionsModule: Module = {
  operations: [operations, forwards],
  jobs: [checkSubscription, sweepSubscriptions, forwardChanges, sweepForwards],
  schedules: [
    { cron: '20 * * * * *', job: sweepSubscriptions },
    { cron: '*/15 * * * * *', job: sweepForwards },
  ],
}
