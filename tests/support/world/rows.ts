import sharp from 'sharp'
import type { Provided } from '#lib/call.ts'
import type { DatabaseHandle } from '#lib/db.ts'
import { digest, newId, randomToken } from '#lib/ids.ts'
import { deleteExpired } from '#lib/db/delete-expired.ts'
import type { Storage } from '#lib/storage.ts'
import type { Clock } from '#lib/time.ts'
import { sweepFiles } from '../../../src/social/media/jobs/sweep-files.job.ts'
import { finishUpload } from '../../../src/social/uploads/finish.ts'
import { usageRow } from '../../gateway/usage-row.ts'
import { addMerchant, capture, post } from '../../payments/ledger-fixtures.ts'
import type { Caller } from './callers.ts'

// Rows that no route creates at once, or that would expire too soon for a test.

type Sql = Pick<DatabaseHandle, 'sql'>

/** A session of a person on another, unused device. */
export async function addSession({ sql }: Sql, userId: string): Promise<string> {
  const [row] = await sql<{ id: string }[]>`
    INSERT INTO identity.sessions (id, user_id, token_hash, created_at, idle_expires_at, expires_at)
    VALUES (${newId()}, ${userId}, ${userId}, now(), now() + interval '1 day', now() + interval '1 day') RETURNING id`
  return row?.id ?? ''
}

/** A person's identity at GitHub. */
export async function addIdentity({ sql }: Sql, userId: string): Promise<string> {
  const [row] = await sql<{ id: string }[]>`
    INSERT INTO identity.upstream_identities (id, user_id, provider, issuer, subject, created_at)
    VALUES (${newId()}, ${userId}, 'github', 'https://github.com', ${userId}, now()) RETURNING id`
  return row?.id ?? ''
}

export async function addLogo({ sql }: Sql, organizationId: string): Promise<void> {
  const image = await sharp({ create: { width: 8, height: 8, channels: 3, background: '#0f766e' } })
    .webp()
    .toBuffer()
  const sha256 = new Bun.CryptoHasher('sha256').update(image).digest('hex')
  await sql`INSERT INTO identity.organization_logos (organization_id, image, updated_at)
    VALUES (${organizationId}, ${image}, now())`
  await sql`UPDATE identity.organizations SET logo_sha256 = ${sha256} WHERE id = ${organizationId}`
}

export async function addBrandLogo({ sql }: Sql, brandId: string): Promise<void> {
  const image = await sharp({ create: { width: 8, height: 8, channels: 3, background: '#b91c1c' } })
    .webp()
    .toBuffer()
  const sha256 = new Bun.CryptoHasher('sha256').update(image).digest('hex')
  await sql`INSERT INTO social.brand_logos (brand_id, image, updated_at) VALUES (${brandId}, ${image}, now())`
  await sql`UPDATE social.brands SET logo_sha256 = ${sha256} WHERE id = ${brandId}`
}

/** A launch of an app by its person. */
export async function addLaunch({ sql }: Sql, organizationId: string, personId: string): Promise<void> {
  await sql`
    INSERT INTO dashboard.launches (id, organization_id, person_id, service_id, surface, outcome)
    SELECT ${newId()}, ${organizationId}, ${personId}, id, 'catalog', 'opened'
    FROM identity.services WHERE slug = 'platform-socialize'`
}

/** A failed run, like another one of its workflow. */
export async function addFailedRun({ sql }: Sql, runId: string): Promise<string> {
  const [row] = await sql<{ id: string }[]>`
    INSERT INTO dashboard.workflow_runs
      (id, organization_id, workflow_id, cause, started_by, data, steps, state, attempts, created_at, settled_at)
    SELECT ${newId()}, organization_id, workflow_id, 'test:failed', 'test', data, steps, 'failed', 5, now(), now()
    FROM dashboard.workflow_runs WHERE id = ${runId} RETURNING id`
  return row?.id ?? ''
}

/** A usage record of a request whose response was lost, of days that no other test looks at. */
export async function addUsage({ ledger }: Pick<Provided, 'ledger'>, organizationId: string): Promise<string> {
  const occurredAt = new Date(Date.now() - 200 * 24 * 60 * 60_000)
  const row = usageRow({ organizationId, occurredAt, paidBy: 'organization', certainty: 'suspect', costNanoUsd: 3n })
  await ledger.commit([row], { durable: false })
  return row.id
}

/** An upload to YouTube without any bytes. */
export async function addVideoUpload(
  { sql }: Sql,
  { secrets }: Pick<Provided, 'secrets'>,
  organizationId: string,
): Promise<string> {
  const id = newId()
  const uri = 'http://localhost/dev/video/upload/youtube/v3/videos?uploadType=resumable&upload_id=none'
  await sql`
    INSERT INTO gateway.video_uploads
      (id, organization_id, project, sealed_session, base_url, content_type, length, expires_at)
    VALUES (${id}, ${organizationId}, '123456789012', ${secrets.seal(uri, `gateway.video_uploads:${id}`)},
      '/dev/video', 'video/mp4', 1024, now() + interval '7 days')`
  return id
}

/** Public videos of the practice YouTube: of another channel, and two of the one that callers with a user's token have. */
export async function addPublicVideos({ sql }: Sql): Promise<void> {
  const snippet = { title: 'Autumn blend', categoryId: '22' }
  const metadata = sql.json({ snippet, status: { privacyStatus: 'public' } })
  for (const [id, account] of [
    ['dQw4w9WgXcQ', 'someone-else'],
    ['own-video-1', 'ada'],
    ['own-video-2', 'ada'],
  ] as const)
    await sql`
      INSERT INTO practice_video.videos (id, upload_id, project, account, metadata, content_type, length, created_at)
      VALUES (${id}, ${`upload of ${id}`}, '123456789012', ${account},
        ${metadata}, 'video/mp4', 1024, now() - interval '1 day')`
}

/** An app of another developer in the registry, which no organization has. */
export async function addForeignApp({ sql }: Sql): Promise<string> {
  const [row] = await sql<{ id: string }[]>`
    INSERT INTO identity.services (slug, name, description, surface_kind, launchable, web_url)
    VALUES ('their-app', 'Theirs', 'An app', 'app', true, 'https://theirs.example/start') RETURNING id`
  return row?.id ?? ''
}

export async function findReceiptToken({ sql }: Sql, paymentId: string): Promise<string> {
  const [row] = await sql<{ token: string }[]>`
    SELECT receipt_token AS token FROM payments.payments WHERE id = ${paymentId}`
  return row?.token ?? ''
}

/** A sign-in link as it is mailed; returns its token. */
export async function addMagicLink({ sql }: Sql, { id, email }: { id: string; email: string }): Promise<string> {
  const token = randomToken()
  await sql`
    INSERT INTO identity.magic_login_tokens (id, token_hash, user_id, email, skip_interstitial, created_at, expires_at)
    VALUES (${newId()}, ${digest(token)}, ${id}, ${email}, false, now(), now() + interval '1 day')`
  return token
}

/** Mailed links of every kind of one person, all with one token. */
export async function addMailedLinks({ sql }: Sql, userId: string): Promise<string> {
  const token = randomToken()
  const [hash, mail] = [digest(token), `${newId()}@example.com`]
  await sql`
    WITH reset AS (
      INSERT INTO identity.password_resets (id, user_id, token_hash, created_at, expires_at)
      VALUES (${newId()}, ${userId}, ${hash}, now(), now() + interval '1 day')
    ), recovery AS (
      INSERT INTO identity.recovery_emails (user_id, email, token_hash, created_at, expires_at)
      VALUES (${userId}, ${mail}, ${hash}, now(), now() + interval '1 day')
    ), registration AS (
      INSERT INTO identity.registrations (id, email, name, password_hash, create_organization, developer_workspace,
        token_hash, device_hash, created_at, expires_at)
      VALUES (${newId()}, ${mail}, 'Late', '', false, false, ${hash}, '', now(), now() + interval '1 day')
    )
    INSERT INTO identity.email_changes (user_id, email, old_token_hash, new_token_hash, created_at, expires_at)
    VALUES (${userId}, ${mail}, ${hash}, ${digest(mail)}, now(), now() + interval '1 day')`
  return token
}

/** An event of a provider whose handling failed, so that it can be replayed. */
export async function addReceivedWebhook({ sql }: DatabaseHandle): Promise<string> {
  const id = newId()
  await sql`
    INSERT INTO platform.received_webhooks (id, webhook, path, event_id, type, params, body, state, problem, received_at, settled_at)
    VALUES (${id}, 'notes.provider', '/webhooks/notes', 'evt_1', 'note.written', '{}', '{"id":"evt_1"}', 'failed', 'Timed out.', now(), now())`
  return id
}

/** A verified sender domain, and an email that waits for the confirmation of its service. Returns the email's ID. */
export async function addEmail(
  { sql }: DatabaseHandle,
  { organizations, senderDomains, senders }: { organizations: string; senderDomains: string; senders: string },
): Promise<string> {
  const id = newId()
  const findings = ['dkim1', 'dkim2'].map((purpose) => ({ purpose, state: 'correct', found: [], advice: null }))
  await sql`
    UPDATE gateway.sender_domains SET verified_at = now(), findings = ${sql.json(findings)} WHERE id = ${senderDomains}`
  await sql`
    INSERT INTO gateway.email_messages (id, organization_id, application_id, service, system, sender_id, from_address, from_name,
      subject, sealed_content, attachments, fingerprint, state, provider, cost_nano_usd)
    VALUES (${id}, ${organizations}, 'shop', 'platform-socialize', true, ${senders}, 'hello@mail.example', 'Shop',
      'Your receipt', 'sealed', '[]', 'none', 'held', 'mailbox', 0)`
  await sql`
    INSERT INTO gateway.email_recipients (id, message_id, organization_id, sender_id, address, field, state)
    VALUES (${newId()}, ${id}, ${organizations}, ${senders}, 'customer@example.com', 'to', 'queued')`
  await sql`
    INSERT INTO gateway.email_events (id, message_id, type, at) VALUES (${newId()}, ${id}, 'accepted', now())`
  return id
}

/** An email that failed in all its attempts. Returns the recipient's ID. */
export async function addDeadLetter(
  { sql }: DatabaseHandle,
  { organizations, senders }: { organizations: string; senders: string },
): Promise<string> {
  const [id, message] = [newId(), newId()]
  await sql`
    INSERT INTO gateway.email_messages (id, organization_id, system, sender_id, from_address, from_name, subject,
      sealed_content, attachments, fingerprint, state, attempts, provider, cost_nano_usd, settled_at)
    VALUES (${message}, ${organizations}, false, ${senders}, 'hello@mail.example', 'Shop', 'Your invoice', 'sealed', '[]',
      'none', 'settled', 11, 'smtp', 0, now())`
  await sql`
    INSERT INTO gateway.email_recipients (id, message_id, organization_id, sender_id, address, field, state, response,
      settled_at)
    VALUES (${id}, ${message}, ${organizations}, ${senders}, 'away@example.com', 'to', 'failed', 'No response.', now())`
  return id
}

/** Two jobs as the queue leaves them when their retries are used up. */
export async function addDeadJobs({ sql, db }: DatabaseHandle, jobs: Provided['queue']): Promise<string[]> {
  const queue = deleteExpired.name
  await jobs.enqueue(db, deleteExpired, {})
  const rows = await sql<{ id: string }[]>`
    INSERT INTO pgboss.job (name, data, output, source_name, source_id, source_created_on, source_retry_count)
    SELECT ${queue} || '.dead', '{"id":"01890000-0000-7000-8000-000000000000","token":"hunter2"}',
      '{"message":"The disk was full."}', ${queue}, gen_random_uuid(), now(), 10
    FROM generate_series(1, 2) RETURNING id`
  return rows.map(({ id }) => id)
}

/** A ready export; its file is not a ZIP. */
export async function addExport(
  { sql }: DatabaseHandle,
  storage: Storage,
  { requestedBy, organizations }: { requestedBy: string; organizations: string },
): Promise<string> {
  const id = newId()
  const file = new TextEncoder().encode('an archive')
  await storage.put(`exports/${id}.zip`, file, 'application/zip')
  await sql`
    INSERT INTO platform.exports (id, organization_id, requested_by, recipient, state, requested_at, settled_at, expires_at, bytes)
    VALUES (${id}, ${organizations}, ${requestedBy}, 'ada@example.com', 'ready', now(), now(), now() + interval '7 days',
      ${file.length})`
  return id
}

/** The first bytes of an MP4. */
const clip = Buffer.from('\0\0\0\x20ftypisom')

/** A complete upload of a video. */
export async function addVideo(
  { fetchJson, fetch }: Caller,
  brandId: string,
  work: Provided & { database: DatabaseHandle; now: Clock },
): Promise<string> {
  const { id } = await fetchJson<{ id: string }>('POST /api/uploads', { brandId, length: clip.byteLength }, 201)
  const chunk = new Blob([new Uint8Array(clip)], { type: 'application/offset+octet-stream' })
  const answer = await fetch(`PATCH /api/uploads/${id}?offset=0`, chunk)
  if (answer.status !== 204) throw new Error(`The video was not taken: ${await answer.text()}`)
  await finishUpload.run({ ...work, input: { id } })
  await sweepFiles.run({ ...work, input: {} })
  return id
}

/** A failed event of the payment provider. Returns its ID. */
export async function addProviderEvent({ sql }: DatabaseHandle, organizationId: string): Promise<string> {
  const id = newId()
  const event = {
    id: 'evt_1',
    object: 'event',
    type: 'charge.updated',
    livemode: true,
    data: { object: { object: 'charge' } },
  }
  await sql`
    INSERT INTO platform.received_webhooks
      (id, webhook, path, organization_id, event_id, type, object_id, params, body, state, problem, received_at, settled_at)
    VALUES (${id}, 'payments.stripe', '/webhooks/stripe', ${organizationId}, ${`${organizationId}:evt_1`}, 'charge.updated',
      'ch_1', '{}', ${Buffer.from(JSON.stringify(event))}, 'failed', 'Timed out.', now(), now())`
  return id
}

/** An endpoint without a secret, of an organization's own account at the payment provider. Returns its ID. */
export async function addProviderEndpoint({ sql }: DatabaseHandle, organizationId: string): Promise<string> {
  const id = newId()
  await sql`
    INSERT INTO payments.webhook_endpoints (id, organization_id, provider, mode, scope, url)
    VALUES (${id}, ${organizationId}, 'stripe', 'live', 'connect', ${`http://localhost/webhooks/stripe?endpoint=${id}`})`
  return id
}

/** A merchant with a captured payment. */
export async function addLedger(
  database: DatabaseHandle,
  organizationId: string,
): Promise<{ merchants: string; ledgerTransactions: string }> {
  const merchant = await addMerchant(database, organizationId)
  const id = newId()
  // Long ago, so that no comparison with an earlier day or week contains it.
  await post(database, capture(merchant, 4260n, 89n, { id, at: new Date('2026-03-21T10:20:30.456Z') }))
  return { merchants: merchant.merchantId, ledgerTransactions: id }
}

/** A batch that was paid, with a callback, two that wait for approval, and an old item without an outcome. Returns batches’ IDs as callers chose them. */
export async function addSettlements(
  { sql }: DatabaseHandle,
  { organizations, merchants }: { organizations: string; merchants: string },
): Promise<{
  settlements: string
  waitingSettlements: string
  otherWaitingSettlements: string
  unknownSettlements: string
  unknownItems: string
}> {
  const unknownItem = newId()
  const add = async (status: 'completed' | 'needs_approval'): Promise<string> => {
    const [id, item] = [newId(), newId()]
    const batchId = `b-${id}`
    const isPaid = status === 'completed'
    await sql`
      INSERT INTO payments.settlements (id, organization_id, merchant_id, batch_id, status, currency, control_sum,
        item_count, callback_url, body_hash, requester_kind, last_sequence)
      VALUES (${id}, ${organizations}, ${merchants}, ${batchId}, ${status}, 'EUR', 1500, 1,
        'http://127.0.0.1:1/callbacks', ${digest(id)}, 'service', 1)`
    await sql`
      INSERT INTO payments.settlement_items (id, organization_id, settlement_id, position, reference, recipient, amount,
        currency, status)
      VALUES (${item}, ${organizations}, ${id}, 1, 'i-1', 'acct_1Pb2Lm', 1500, 'EUR', ${isPaid ? 'settled' : 'pending'})`
    const callback = newId()
    await sql`
      INSERT INTO payments.settlement_callbacks (id, organization_id, settlement_id, sequence, body, state, attempts, settled_at)
      VALUES (${callback}, ${organizations}, ${id}, 1, '{}', 'delivered', 1, now())`
    await sql`
      INSERT INTO payments.settlement_callback_attempts (callback_id, organization_id, number, at, duration_ms, status)
      VALUES (${callback}, ${organizations}, 1, now(), 96, 204)`
    return batchId
  }
  const unknownSettlements = await add('completed')
  await sql`
    UPDATE payments.settlements SET status = 'processing', requester_kind = 'person', requested_by = (
      SELECT user_id FROM identity.memberships WHERE organization_id = ${organizations} AND role = 'owner' LIMIT 1)
    WHERE batch_id = ${unknownSettlements}`
  await sql`
    UPDATE payments.settlement_items SET id = ${unknownItem}, status = 'unknown', transfer_sent_at = now() - interval '23 hours'
    WHERE settlement_id = (SELECT id FROM payments.settlements WHERE batch_id = ${unknownSettlements})`
  return {
    unknownSettlements,
    unknownItems: unknownItem,
    settlements: await add('completed'),
    waitingSettlements: await add('needs_approval'),
    otherWaitingSettlements: await add('needs_approval'),
  }
}
