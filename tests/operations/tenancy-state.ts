import { digest, newId } from '#lib/ids.ts'
import { accountOnX, instance, registeredClient } from './instance.ts'
import type { World } from '../support/world.ts'
import { rootRecoveryCode, sampleTokens } from './sample-tokens.ts'

/** Rows that samples need, and that would change what other tests see. */
export async function addSampleRows(world: World): Promise<void> {
  await addInvitations(world)
  await addRegistration(world)
  await addRefreshToken(world)
  await addFactorsOfRoot(world)
  await addAccountOnX(world)
  await addTargetChoice(world)
  await addCalendarFeed(world)
  await addMediaOfDraft(world)
  await addUnknownComments(world)
  await addEditedPosts(world)
}

/** Of two organizations in which the residents are strangers. */
async function addInvitations({ ada, mallory, database: { sql } }: World): Promise<void> {
  const invite = async (email: string, token: string): Promise<string> => {
    const [id, organizationId] = [newId(), newId()]
    await sql`INSERT INTO identity.organizations (id, slug, name, created_at)
      VALUES (${organizationId}, ${organizationId}, 'Host', now())`
    await sql`
      INSERT INTO identity.invitations (id, organization_id, email, role, token_hash, created_at, expires_at)
      VALUES (${id}, ${organizationId}, ${email}, 'viewer', ${digest(token)}, now(), now() + interval '1 day')`
    return id
  }
  await invite(ada.email, sampleTokens.invitation)
  for (const { email, things } of [ada, mallory]) things.ownInvitations = await invite(email, newId())
}

async function addRegistration({ vera, database: { sql } }: World): Promise<void> {
  await sql`
    INSERT INTO identity.registrations (id, email, name, password_hash, create_organization, developer_workspace,
      token_hash, device_hash, created_at, expires_at)
    SELECT ${newId()}, 'gwen@example.com', 'Gwen', password_hash, false, false,
      ${digest(sampleTokens.registration)}, ${digest('device')}, now(), now() + interval '1 day'
    FROM identity.users WHERE id = ${vera.id}`
}

async function addRefreshToken({ vera, database: { sql } }: World): Promise<void> {
  await sql`
    INSERT INTO identity.refresh_tokens (hash, session_id, created_at, expires_at)
    SELECT ${digest(sampleTokens.refresh)}, id, now(), now() + interval '1 day'
    FROM identity.sessions WHERE user_id = ${vera.id} LIMIT 1`
}

/** The app with the code of `factors.code()`, and a recovery code. */
async function addFactorsOfRoot({ root, provided: { secrets }, database: { sql } }: World): Promise<void> {
  const id = newId()
  const sealed = secrets.seal('GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ', `identity.totp_authenticators:${id}`)
  await sql`
    INSERT INTO identity.totp_authenticators (id, user_id, sealed_secret, created_at, confirmed_at, last_step)
    VALUES (${id}, ${root.id}, ${sealed}, now(), now(), 0)`
  await sql`INSERT INTO identity.recovery_codes (user_id, hash, created_at)
    VALUES (${root.id}, ${digest(rootRecoveryCode)}, now())`
}

async function addCalendarFeed({ ada, vera, database: { sql } }: World): Promise<void> {
  await sql`
    INSERT INTO social.calendar_feeds (id, brand_id, person_id, token_hash)
    VALUES (${newId()}, ${ada.things.brands}, ${vera.id}, ${digest(sampleTokens.calendarFeed)})`
}

/** To the draft that the review link shows. */
async function addMediaOfDraft({ ada: { things }, database: { sql } }: World): Promise<void> {
  const [image] = await sql<{ id: string }[]>`
    SELECT id FROM social.media WHERE brand_id = ${things.brands} AND id <> ${things.media} ORDER BY id LIMIT 1`
  if (!image) throw new Error('The world has no second image')
  const { id: mediaId } = image
  things.linkedMedia = mediaId
  await sql`UPDATE social.posts SET media = ${sql.json([{ mediaId, alt: 'A cup' }])} WHERE id = ${things.posts}`
}

/** Published posts of both, whose first comments have an unknown outcome: one to retry, one to confirm. */
export async function addUnknownComments({ ada, mallory, database: { sql } }: World): Promise<void> {
  const addPost = async ({ id: author, things }: World['ada'], text: string): Promise<string> => {
    const id = newId()
    await sql`
      INSERT INTO social.posts (id, brand_id, author_id, provider, status, text, first_comment, platform_post_id,
        external_account, published_at)
      VALUES (${id}, ${things.brands}, ${author}, 'sandbox', 'published', ${text}, 'More', ${id}, 'acme', now())`
    await sql`
      INSERT INTO social.first_comments (id, brand_id, provider, external_account, state, failure_code, settled_at)
      VALUES (${id}, ${things.brands}, 'sandbox', 'acme', 'unknown', 'outcome_unknown', now())`
    return id
  }
  for (const owner of [ada, mallory]) {
    owner.things.commentedPosts = await addPost(owner, 'Its comment is sent again')
    owner.things.confirmedPosts = await addPost(owner, 'Its comment is marked as written')
  }
}

/** Drafts of both, whose text was changed after it was approved. */
async function addEditedPosts({ ada, mallory, vera, database: { sql } }: World): Promise<void> {
  for (const { id: author, things } of [ada, mallory]) {
    const id = newId()
    const empty = { media: [], firstComment: null, linkPreview: null, target: null, youtube: null }
    const content = { provider: 'sandbox', text: 'Approved', ...empty }
    await sql`
      INSERT INTO social.posts (id, brand_id, author_id, provider, status, text)
      VALUES (${id}, ${things.brands}, ${author}, 'sandbox', 'draft', 'Edited')`
    await sql`
      INSERT INTO social.post_reviews (id, brand_id, post_id, user_id, decision, content, fingerprint, post_version,
        voided_at, void_reason)
      VALUES (${newId()}, ${things.brands}, ${id}, ${vera.id}, 'approve', ${sql.json(content)}, 'earlier', 1, now(), 'edited')`
    things.editedPosts = id
  }
}

/** Of Ada, who consented to one Page. */
async function addTargetChoice({ ada, provided: { secrets }, database: { sql } }: World): Promise<void> {
  const id = newId()
  const account = { externalId: '1', name: 'Acme', metadata: {}, tokens: {}, scopes: [] }
  const choice = [{ account, detail: 'Page', refusal: null }]
  const sealed = secrets.seal(JSON.stringify({ choice }), `social.authorizations:${id}`)
  await sql`
    INSERT INTO social.authorizations (id, state_digest, user_id, brand_id, provider, sealed_kept, expires_at)
    VALUES (${id}, ${digest(sampleTokens.targetChoice)}, ${ada.id}, ${ada.things.brands}, 'linkedin-page', ${sealed},
      now() + interval '1 day')`
}

/** The headers of Root in a confirmed admin session. */
/** With the app of its organization. */
async function addAccountOnX({ ada, database: { sql } }: World): Promise<void> {
  await sql`
    INSERT INTO social.connections (id, brand_id, provider, owner_id, external_id, name, metadata, created_at)
    VALUES (${accountOnX}, ${ada.things.brands}, 'x', ${ada.id}, '1', '@acme',
      '{ "username": "acme", "isSubscribed": false }', now())`
  const secret = { clientId: registeredClient, clientSecret: 'a-long-secret' }
  await ada.fetchJson('PUT /api/credentials/x', { label: 'main', secret, baseUrl: instance })
}

export async function confirmRoot({ root }: World): Promise<Record<string, string>> {
  const confirmed = await root.fetch('POST /api/admin/session', { code: rootRecoveryCode })
  if (confirmed.status !== 201) throw new Error(`The admin session wasn’t created: ${await confirmed.text()}`)
  const cookie = confirmed.headers.getSetCookie().map((text) => text.split(';')[0])
  return { ...root.credential, cookie: cookie.join('; ') }
}
