import { expect, test } from 'bun:test'
import { migrate } from '#lib/db/migrate.ts'
import { openDatabase } from '#lib/db.ts'
import { newId } from '#lib/ids.ts'
import { createSecrets } from '#lib/secrets.ts'
import { rotateSecrets } from '#lib/secrets/rotate.ts'
import { listApps, resealApps } from '../../src/gateway/social-credentials/apps.ts'
import { socialApps } from '../../src/gateway/schema.ts'
import { emptyDatabase } from '../support/database.ts'
import { migrateUntil } from '../support/earlier-release.ts'

const key = new Uint8Array(32).fill(7)
const secrets = createSecrets(key)
const redirectUri = 'https://atrium.example.com/workspace/accounts/callback/mastodon'

test('GTW-04 apps that social registered move to the gateway with their secrets', async () => {
  const empty = await emptyDatabase()
  const database = openDatabase(empty.url, 2)
  const { sql } = database
  const store = { db: database.db, secrets }
  try {
    await migrateUntil(empty.url, 'social_apps')
    const before = ['https://one.example', 'https://two.example'].map((host) => {
      const id = newId()
      const clientSecret = `secret of ${host}`
      const sealed = secrets.seal(clientSecret, `social.network_apps:${id}`)
      return { id, host, clientId: `client of ${host}`, clientSecret, sealed }
    })
    for (const { id, host, clientId, sealed } of before)
      await sql`INSERT INTO social.network_apps (id, provider, host, redirect_uri, client_id, sealed_secret)
        VALUES (${id}, 'mastodon', ${host}, ${redirectUri}, ${clientId}, ${sealed})`
    await migrate(empty.url)
    expect(await sql`SELECT FROM social.network_apps`).toHaveLength(0)

    const readAll = async () =>
      (await Promise.all(before.map(({ host }) => listApps(store, { provider: 'mastodon', host })))).flat()
    const expected = before.map(({ id, host, clientId, clientSecret }) =>
      expect.objectContaining({ id, host, clientId, clientSecret, redirectUri }),
    )
    // A server of this release can serve before the secrets are sealed for the new table.
    expect(await readAll()).toEqual(expected)
    expect(await resealApps(store)).toBe(2)
    expect(await resealApps(store)).toBe(0)
    expect(await readAll()).toEqual(expected)
    const next = createSecrets(new Uint8Array(32).fill(8), [key])
    expect(await rotateSecrets(database, next, [socialApps.sealedSecret])).toMatchObject([{ rewrapped: 2, failed: [] }])
  } finally {
    await database.close()
    await empty.drop()
  }
})
