import { z } from 'zod'
import { transact } from '#lib/db.ts'
import { operation } from '#lib/operation.ts'
import { publicUrl } from '#lib/public-url.ts'
import { createDeletionCode } from './deletion-code.ts'
import { deactivate, erase } from './disconnect.ts'
import { verifyCallback } from './instagram.ts'

const callback = {
  permission: 'public',
  input: z.object({ signed_request: z.string().min(3).max(8000) }),
  unknownFields: 'ignored',
  // The signature is checked by the gateway.
  transaction: false,
  audit: false,
  problems: { bad_signature: 400 },
} as const

export const deauthorizeInstagram = operation({
  route: 'POST /callbacks/instagram/deauthorize',
  summary: 'Disconnect an account that removed the app',
  ...callback,
  output: z.object({ deactivated: z.int().describe('How many connections the account had.') }),
  run: async (call) => {
    const { connectionIds } = await verifyCallback(call, call.input.signed_request)
    await transact(call.db, (tx) => deactivate(tx, call, connectionIds))
    return { deactivated: connectionIds.length }
  },
})

export const deleteInstagramData = operation({
  route: 'POST /callbacks/instagram/data-deletion',
  summary: 'Delete the data of an account',
  ...callback,
  output: z.object({
    url: z.url().describe('A public page with the status of the deletion.'),
    confirmation_code: z.string(),
  }),
  run: async (call) => {
    const { subject, issuedAt, connectionIds } = await verifyCallback(call, call.input.signed_request)
    await transact(call.db, (tx) => erase(tx, call, connectionIds))
    const code = createDeletionCode(call.secrets, { subject, issuedAt })
    const url = publicUrl(`/callbacks/instagram/data-deletion/${code}`, call.config, call.request)
    return { url, confirmation_code: code }
  },
})
