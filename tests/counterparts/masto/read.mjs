import { createRestAPIClient } from 'masto'

// Reads an account's statuses as a Mastodon app does, and prints them, newest first.

const [, , url, accessToken] = process.argv
const client = createRestAPIClient({ url, accessToken })
const me = await client.v1.accounts.verifyCredentials()
const statuses = await client.v1.accounts.$select(me.id).statuses.list()
console.log(
  JSON.stringify(statuses.map(({ id, content, inReplyToId, url: at }) => ({ id, content, inReplyToId, url: at }))),
)
