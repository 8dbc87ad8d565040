import { shareRuns } from '../share-runs.ts'
import { syncPayment } from './sync.ts'

export const syncShared = shareRuns(syncPayment)
