import { expect, test } from 'bun:test'
import { createDns } from '#lib/dns.ts'
import { markTransaction, refuseOutsideCall, reportOutsideCalls } from '#lib/outside-calls.ts'

test('DNS query is rejected while a transaction is open', async () => {
  // A server of another file can have replaced it.
  reportOutsideCalls(refuseOutsideCall)
  const dns = createDns('127.0.0.1:1')
  const inside = markTransaction(() => dns.txt('example.com'))
  await expect(inside).rejects.toThrow('The name server was called while a transaction was open')
})
