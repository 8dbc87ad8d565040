import { expect, test } from 'bun:test'
import { createHmac } from 'node:crypto'
import { newSigningSecret, signedHeaders } from '#lib/outgoing-webhooks/signature.ts'

test('webhook is signed with each secret, using HMAC-SHA256 over the ID, timestamp and body', () => {
  const secrets = [newSigningSecret(), newSigningSecret()]
  const body = '{"type":"post.published","data":{"text":"Grüße ☕"}}'
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.replace('whsec_', ''), 'base64')
    expect(key.length).toBe(32)
    return `v1,${createHmac('sha256', key).update(`msg_1.1795327200.${body}`).digest('base64')}`
  })
  expect(signedHeaders(secrets, { id: 'msg_1', at: new Date('2026-11-22T06:00:00.999Z'), body })).toEqual({
    'webhook-id': 'msg_1',
    'webhook-timestamp': '1795327200',
    'webhook-signature': signatures.join(' '),
  })
})
