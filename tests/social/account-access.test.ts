import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { AccountHistory, ConnectionDetails } from '#social/types'
import { openSocialServer, type SocialServer } from './social-server.ts'
import { addAttempt, createWriter, type Writer } from './writer.ts'

let desk: SocialServer
let ada: Writer
let other: Writer

beforeAll(async () => {
  desk = await openSocialServer()
  ada = await createWriter(desk)
  other = await createWriter(desk, ada.person)
})
afterAll(() => desk.close())

/** A colleague who reaches only this brand, with these permissions. */
const limitedTo = (brandId: string, permissions: string[]) =>
  desk.person({ organization: ada.person.organization, permissions, limits: [{ brandId, permissions }] })

test('SOC-46 role that is limited to a brand reads limits and history of its accounts alone', async () => {
  const vera = limitedTo(ada.brand.id, ['accounts:read', 'posts:read'])
  for (const path of ['', '/history']) {
    expect((await vera.fetch(`GET /api/accounts/${ada.connection.id}${path}`)).status).toBe(200)
    expect((await vera.fetch(`GET /api/accounts/${other.connection.id}${path}`)).status).toBe(404)
  }
  const { body } = await vera.fetch<AccountHistory>(`GET /api/accounts/${ada.connection.id}/history`)
  expect(body.items).toMatchObject([{ kind: 'connected', person: { id: ada.person.id } }])
})

test('SOC-46 how much of a limit is used is hidden without permission to read posts', async () => {
  await addAttempt(desk, await ada.draft(), 'unknown')
  const quotaFor = async (permissions: string[]) => {
    const reader = limitedTo(ada.brand.id, permissions)
    return (await reader.fetch<ConnectionDetails>(`GET /api/accounts/${ada.connection.id}`)).body.quotas[0]
  }
  expect(await quotaFor(['accounts:read', 'posts:read'])).toMatchObject({ used: 1, resetsAt: expect.any(String) })
  expect(await quotaFor(['accounts:read'])).toMatchObject({ used: null, resetsAt: null })
})
