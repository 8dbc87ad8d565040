import { expect, test } from 'bun:test'
import type { AccountQuota } from '#social/types'
import { QuotaRow } from '#views/social/accounts/account-quotas.tsx'

const quota: AccountQuota = {
  counts: 'posts',
  per: 'account',
  used: null,
  total: 100,
  windowSeconds: 86_400,
  timeZone: null,
  resetsAt: null,
  reportedAt: null,
}
const place = { now: new Date('2026-11-21T09:00:00Z'), zone: 'Europe/Berlin', brand: { id: '', name: '' } }

test('SOC-46 limit whose use the reader can’t see says nothing of counted posts', async () => {
  const hidden = await QuotaRow({ quota, place })
  expect(hidden).toContain('100 allowed')
  expect(hidden).not.toContain('None yet')
  expect(await QuotaRow({ quota: { ...quota, used: 0 }, place })).toContain('None yet')
})
