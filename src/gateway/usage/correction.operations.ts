import { operation } from '#lib/operation.ts'
import { UsageRecord } from '../contract/usage.ts'
import { UsageCorrection } from '../contract/usage-correction.ts'
import { nameRecords } from '../names.ts'
import { correctRecord } from './correction.ts'

export const correctUsage = operation({
  route: 'PATCH /api/usage/:id',
  summary: 'Update the cost of a suspect record',
  permission: 'limits:manage',
  input: UsageCorrection,
  output: UsageRecord,
  problems: { not_suspect: 409 },
  run: async (call) => {
    await call.ledger.settled()
    const [record] = await nameRecords(call, [await correctRecord(call, call.input)])
    if (!record) throw new Error('The corrected record was not read')
    return record
  },
})
